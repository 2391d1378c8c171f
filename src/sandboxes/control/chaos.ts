/**
 * Delivery chaos in the control plane: its setting for a webhook, and its format with the effects so far.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Duration } from 'luxon';
import {
  CHAOS_KINDS,
  type Chaos,
  type ChaosKind,
  type ChaosSetting,
  createChaos,
} from '../../bank/delivery/chaos.ts';
import type { Frequency } from '../../bank/kernel/frequency.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { FrequencyInput, parseDuration, text } from './fields.ts';
import { controlOperation } from './operation.ts';
import { courierOf, WebhookParams, webhookOf } from './webhooks.ts';

const DEFAULT_DELAY = 'PT30S';
const DEFAULT_SEED = 'chaos';
const Kind = (description: string) =>
  Type.Optional(
    Type.Object(FrequencyInput, { description: `${description} \`{}\` applies it to every delivery.` }),
  );

const ChaosInput = Type.Object(
  {
    duplicate: Kind('Sent twice, with the same id.'),
    drop: Kind('Recorded as delivered, but never sent.'),
    delay: Type.Optional(
      Type.Object(
        {
          ...FrequencyInput,
          by: Type.Optional(
            Type.String({
              description: `An ISO 8601 duration on the sandbox's clock; default: ${DEFAULT_DELAY}.`,
            }),
          ),
        },
        { description: 'Sent later, after newer deliveries.' },
      ),
    ),
    bad_signature: Kind('Signed with a secret that is not the webhook’s.'),
    stale_timestamp: Kind('Signed with a timestamp of one hour ago.'),
    shuffle_window: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: 100,
        description:
          'First attempts are shuffled in groups of this size. A smaller group waits for one second of the sandbox’s clock, or for a drain.',
      }),
    ),
    seed: Type.Optional(Type.String({ maxLength: 200, description: `Default: ${DEFAULT_SEED}.` })),
  },
  { description: 'Failures of the first attempts of a webhook. Retries are not affected.' },
);

const Shown = Type.Optional(Type.Object(FrequencyInput));

export const ChaosView = Type.Object({
  active: Type.Boolean(),
  duplicate: Shown,
  drop: Shown,
  delay: Type.Optional(
    Type.Object({ ...FrequencyInput, by: text("An ISO 8601 duration on the sandbox's clock.") }),
  ),
  bad_signature: Shown,
  stale_timestamp: Shown,
  shuffle_window: Type.Optional(
    Type.Integer({ description: 'Number of first attempts that are shuffled together.' }),
  ),
  seed: Type.Optional(text('Seed of its random choices.')),
  hits: Type.Object(
    Object.fromEntries(
      CHAOS_KINDS.map((kind) => [kind, Type.Integer({ description: 'Number of affected deliveries.' })]),
    ) as Record<ChaosKind, ReturnType<typeof Type.Integer>>,
    { description: 'How often each kind was applied.' },
  ),
});

/** Parses the chaos of a webhook. Refuses: `field_invalid`. */
function parseChaos(input: Static<typeof ChaosInput>): ChaosSetting {
  if (CHAOS_KINDS.every((kind) => input[kind] === undefined) && input.shuffle_window === undefined) {
    throw refuse('field_invalid', {
      field: 'duplicate',
      message: `one of ${CHAOS_KINDS.join(', ')} and shuffle_window is required`,
    });
  }
  const on: Partial<Record<ChaosKind, Frequency>> = {};
  for (const kind of CHAOS_KINDS) {
    const frequency = input[kind];
    if (frequency !== undefined) on[kind] = parseFrequency(frequency);
  }
  return {
    on,
    delayMs: parseDuration('delay.by', input.delay?.by ?? DEFAULT_DELAY),
    shuffleSize: input.shuffle_window ?? 0,
    seed: input.seed ?? DEFAULT_SEED,
  };
}

type FrequencyBody = { [K in keyof typeof FrequencyInput]?: number };

function parseFrequency({ times, every, skip_first, probability }: FrequencyBody): Frequency {
  return {
    ...(times !== undefined && { times }),
    ...(every !== undefined && { every }),
    ...(skip_first !== undefined && { skipFirst: skip_first }),
    ...(probability !== undefined && { probability }),
  };
}

/** Formats the chaos of a webhook, or its absence. */
function formatChaos(chaos: Chaos | undefined): Static<typeof ChaosView> {
  const none = Object.fromEntries(CHAOS_KINDS.map((kind) => [kind, 0])) as Record<ChaosKind, number>;
  if (chaos === undefined) return { active: false, hits: none };
  const { on, delayMs, shuffleSize, seed } = chaos.setting;
  const { delay, ...others } = on;
  return {
    active: true,
    ...Object.fromEntries(
      Object.entries(others).map(([kind, frequency]) => [kind, formatFrequency(frequency)]),
    ),
    ...(delay !== undefined && {
      delay: { ...formatFrequency(delay), by: Duration.fromMillis(delayMs).rescale().toISO() ?? '' },
    }),
    ...(shuffleSize > 1 && { shuffle_window: shuffleSize }),
    seed,
    hits: chaos.hits(),
  };
}

function formatFrequency({ skipFirst, ...rest }: Frequency) {
  return { ...rest, ...(skipFirst !== undefined && { skip_first: skipFirst }) };
}

export const CHAOS_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_chaos',
    method: 'GET',
    path: '/_sandbox/webhooks/:id/chaos',
    group: 'Webhooks',
    summary: 'Show the delivery chaos of a webhook',
    description: 'Shows the delivery chaos of a webhook, with its effect so far.',
    answer: 'The chaos and how many deliveries it affected.',
    status: 200,
    refuses: ['webhook_not_found'],
    params: WebhookParams,
    response: ChaosView,
    example: { params: (world) => ({ id: world.seed('webhook_id') }) },
    run: ({ sandbox }, { params }) =>
      formatChaos(courierOf(sandbox).chaosOf(webhookOf(sandbox, params.id).id)),
  }),

  controlOperation({
    id: 'sandbox_set_chaos',
    method: 'PUT',
    path: '/_sandbox/webhooks/:id/chaos',
    group: 'Webhooks',
    summary: 'Set the delivery chaos of a webhook',
    description:
      'Makes deliveries of a webhook fail, repeat, arrive late or arrive out of order. It replaces earlier chaos of the webhook. The same seed affects the same deliveries in the same way. A reset, restore or import ends it; a restart of a bank with a data directory does not.',
    answer: 'The new chaos.',
    status: 200,
    refuses: ['webhook_not_found'],
    params: WebhookParams,
    body: ChaosInput,
    response: ChaosView,
    example: {
      params: (world) => ({ id: world.seed('webhook_id') }),
      body: { duplicate: { every: 3 }, delay: { times: 2, by: 'PT5M' } },
    },
    command: ({ sandbox }, { params, body }) => {
      const { id } = webhookOf(sandbox, params.id);
      const chaos = createChaos(parseChaos(body));
      sandbox.surroundings.change('chaos', () => courierOf(sandbox).setChaos(id, chaos));
      return formatChaos(chaos);
    },
  }),

  controlOperation({
    id: 'sandbox_delete_chaos',
    method: 'DELETE',
    path: '/_sandbox/webhooks/:id/chaos',
    group: 'Webhooks',
    summary: 'End the delivery chaos of a webhook',
    description: 'Ends the delivery chaos of a webhook. Deliveries that wait to be shuffled are sent.',
    answer: 'The chaos has ended; there is no body.',
    status: 204,
    refuses: ['webhook_not_found'],
    params: WebhookParams,
    example: { params: (world) => ({ id: world.seed('webhook_id') }) },
    command: ({ sandbox }, { params }) => {
      const { id } = webhookOf(sandbox, params.id);
      sandbox.surroundings.change('chaos', () => courierOf(sandbox).setChaos(id, null));
    },
  }),
] as const;
