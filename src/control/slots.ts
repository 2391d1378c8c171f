/**
 * Slots in the control plane: the slots that this bank of a fleet serves, and the steps that move a slot with its
 * sandboxes to another bank. `sandbank fleet move` makes these calls; each call applies to the bank that receives it,
 * so none goes through a proxy.
 */
import { Type } from '@sinclair/typebox';
import { refuse } from '../kernel/refusal.ts';
import { formatSlots, SLOT_COUNT, type Slot } from '../kernel/slots.ts';
import { parseSnapshotName, SQLITE_TYPE } from '../registry/images.ts';
import { Upload } from '../registry/intake.ts';
import type { Registry } from '../registry/registry.ts';
import { SLOT_STATES } from '../registry/slots.ts';
import { enumOf, text } from './fields.ts';
import { controlOperation } from './operation.ts';

const SlotParams = Type.Object({ slot: Type.String() });
const SlotSandboxParams = Type.Object({ slot: Type.String(), name: Type.String() });

const SlotRanges = (what: string) => text(`${what}, like "0-127,200"; "none" for none.`);

const SlotsView = Type.Object({
  version: text('Version of the server.'),
  shared: Type.Boolean({
    description: 'False for a bank that is not part of a fleet, which serves every slot.',
  }),
  served: SlotRanges('The slots that this bank serves'),
  arriving: SlotRanges('Those whose requests wait until they have arrived'),
  leaving: SlotRanges('Those that are being handed over to another bank'),
  sandboxes: Type.Integer({ description: 'Number of sandboxes in this bank.' }),
  secrets: text(
    'Identifies the root of the secrets; a slot can move only between banks with the same root. "" for seeded secrets.',
  ),
});

const Epoch = (what: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: `${what}.` });

const SlotView = Type.Object({
  slot: Type.Integer({ description: '0 to 255.' }),
  state: enumOf(SLOT_STATES),
  epoch: Epoch('Of the last change of the slot; 0 before the first one'),
  sandboxes: Type.Array(
    Type.Object({
      name: Type.String(),
      key_digest: Type.Union([Type.String(), Type.Null()], {
        description: 'The SHA-256 of its random key; null if it has no random key.',
      }),
      snapshots: Type.Array(Type.String(), { description: 'The names of its snapshots.' }),
    }),
  ),
});

/** The slot in a path. Refuses: `field_invalid`. */
function parseSlot(input: string): Slot {
  const slot = /^\d{1,3}$/.test(input) ? Number(input) : SLOT_COUNT;
  if (slot < SLOT_COUNT) return slot;
  throw refuse('field_invalid', {
    field: 'slot',
    message: `slot is ${JSON.stringify(input)}; expected a number from 0 to ${SLOT_COUNT - 1}`,
  });
}

function formatSlot({ slots, slotMoves }: Registry, slot: Slot) {
  return {
    slot,
    state: slots.stateOf(slot),
    epoch: slots.epochOf(slot),
    sandboxes: slotMoves
      .contents(slot)
      .map(({ name, keyDigest, snapshots }) => ({ name, key_digest: keyDigest, snapshots })),
  };
}

const SnapshotQuery = Type.Optional(
  Type.String({ description: 'A snapshot of the sandbox instead of the sandbox itself.' }),
);

export const SLOT_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_slots',
    method: 'GET',
    path: '/_sandbox/slots',
    group: 'Fleet',
    needs: 'slots',
    about: 'none',
    summary: 'Show the slots that this bank serves',
    description:
      'Shows which slots this bank serves, and which are arriving or leaving. A bank that is not part of a fleet serves all 256.',
    answer: 'The slots of this bank.',
    status: 200,
    response: SlotsView,
    run: ({ registry, version }) => ({
      version,
      shared: registry.slots.isShared,
      served: formatSlots(registry.slots.in('served')),
      arriving: formatSlots(registry.slots.in('arriving')),
      leaving: formatSlots(registry.slots.in('leaving')),
      sandboxes: registry.list().length,
      secrets: registry.secretFingerprint(),
    }),
  }),

  controlOperation({
    id: 'sandbox_retrieve_slot',
    method: 'GET',
    path: '/_sandbox/slots/:slot',
    group: 'Fleet',
    needs: 'slots',
    about: 'none',
    summary: 'Show a slot with its sandboxes',
    description:
      'Shows the state of a slot and its epoch. The sandboxes are those that this bank has in the slot.',
    answer: 'The slot and its sandboxes.',
    status: 200,
    refuses: ['field_invalid'],
    params: SlotParams,
    response: SlotView,
    example: { params: { slot: '43' } },
    run: ({ registry }, { params }) => formatSlot(registry, parseSlot(params.slot)),
  }),

  controlOperation({
    id: 'sandbox_change_slot',
    method: 'PUT',
    path: '/_sandbox/slots/:slot',
    group: 'Fleet',
    needs: 'slots',
    about: 'none',
    summary: 'Change the state of a slot',
    description:
      'Moves a slot one step further between two banks of a fleet. `arriving` makes its requests wait here; `leaving` audits and closes its sandboxes so that they can be fetched; `served` opens them; `elsewhere` removes them. With `after` the change is refused unless the slot has that epoch.',
    answer: 'The slot in its new state.',
    status: 200,
    refuses: ['illegal_step'],
    params: SlotParams,
    body: Type.Object({
      state: enumOf(SLOT_STATES),
      after: Type.Optional(Epoch('The epoch that the slot must have now; default: any')),
      epoch: Type.Optional(Epoch('The epoch that the slot gets, newer than its own; default: the next one')),
    }),
    response: SlotView,
    example: { params: { slot: '43' }, body: { state: 'leaving' } },
    run: async ({ registry }, { params, body: { state, after, epoch } }) => {
      const slot = parseSlot(params.slot);
      await registry.slotMoves.change(slot, state, { after, epoch });
      return formatSlot(registry, slot);
    },
  }),

  controlOperation({
    id: 'sandbox_retrieve_slot_image',
    method: 'GET',
    path: '/_sandbox/slots/:slot/sandboxes/:name',
    group: 'Fleet',
    needs: 'slots',
    about: 'none',
    summary: 'Download the image of a leaving sandbox',
    description:
      'Downloads the image of a sandbox whose slot is leaving, or of one of its snapshots. The bank that takes over the slot imports it.',
    answer: 'The image, a SQLite database.',
    status: 200,
    refuses: ['illegal_step', 'snapshot_not_found'],
    params: SlotSandboxParams,
    query: Type.Object({ snapshot: SnapshotQuery }),
    contentType: SQLITE_TYPE,
    response: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
    example: { params: { slot: '43', name: 'alice' } },
    run: async ({ registry: { slotMoves, images } }, { params: { slot, name }, query: { snapshot } }) => {
      if (snapshot !== undefined) parseSnapshotName(snapshot);
      return images.body(await slotMoves.imageOf(parseSlot(slot), name, snapshot));
    },
  }),

  controlOperation({
    id: 'sandbox_put_slot_image',
    method: 'PUT',
    path: '/_sandbox/slots/:slot/sandboxes/:name',
    group: 'Fleet',
    needs: 'slots',
    about: 'none',
    summary: 'Import the image of an arriving sandbox',
    description:
      'Imports the image of a sandbox whose slot is arriving, or of one of its snapshots. The image is checked first, like every import.',
    answer: 'The image was imported; there is no body.',
    status: 204,
    refuses: ['illegal_step', 'image_invalid', 'body_too_large'],
    params: SlotSandboxParams,
    query: Type.Object({
      snapshot: SnapshotQuery,
      key_digest: Type.Optional(
        Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of its random key.' }),
      ),
      epoch: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,15}$',
          description: 'The epoch that the slot must have now; default: any.',
        }),
      ),
    }),
    bodyType: SQLITE_TYPE,
    example: { params: { slot: '43', name: 'alice' } },
    run: async ({ registry: { slotMoves } }, { params: { slot, name }, query, body }) => {
      const upload: unknown = body;
      if (!(upload instanceof Upload) || upload.length === 0) {
        throw refuse('image_invalid', { message: 'send the image of the sandbox as the body' });
      }
      const { snapshot, key_digest: keyDigest } = query;
      const epoch = query.epoch === undefined ? undefined : Number(query.epoch);
      if (snapshot !== undefined) parseSnapshotName(snapshot);
      await slotMoves.take(parseSlot(slot), name, upload, { snapshot, keyDigest, epoch });
    },
  }),
] as const;
