/**
 * Founds the bank of the sandbox anew from a document, in one step or not at all: a reset then comes back to it. The
 * founding happens at the time that the sandbox's clock shows, and the clock goes on as it was set.
 */
import { Type } from '@sinclair/typebox';
import { spellV2 } from '../../../dialects/identifiers.ts';
import { defaultFixture, type Fixture, FixtureShape } from '../../../sandboxes/fixture.ts';
import type { Sandbox } from '../../../sandboxes/sandbox.ts';
import { SECTIONS, type Section } from '../../../sandboxes/seed-document.ts';
import { markToken } from '../../../sandboxes/token-marks.ts';
import { controlOperation } from '../operation.ts';
import { StateView, viewState } from '../state.ts';

/** What is made of the entries of each list. */
const KINDS = {
  persons: 'holder',
  businesses: 'holder',
  accounts: 'account',
  counterparties: 'counterparty',
  card_holders: 'card_holder',
  cards: 'card',
  families: 'family',
  memberships: 'member',
  documents: 'document',
  attachments: 'attachment',
  transfers: 'transaction',
  incoming: 'transaction',
} as const satisfies Record<Exclude<Section, 'tokens'>, string>;

export const seedSandbox = controlOperation({
  id: 'sandbox_seed',
  method: 'POST',
  path: '/_sandbox/seed',
  group: 'State',
  summary: 'Found the bank anew from a document',
  status: 200,
  body: FixtureShape,
  response: Type.Intersect([
    StateView,
    Type.Object({
      ids: Type.Record(Type.String(), Type.String(), { description: 'By the names in the document.' }),
    }),
  ]),
  example: { body: () => defaultFixture() },
  run: async ({ registry, sandbox }, { body }) => {
    const image = registry.founder.imageFrom(body, sandbox.clock.now());
    const { mode, shows, setAt, rate } = sandbox.clock.setting();
    const now = sandbox.clock.now();
    await registry.exchange(sandbox, image);
    const wasSet = mode !== 'live' || shows !== setAt;
    if (wasSet) await sandbox.setClock((clock) => clock.set(mode, now, rate));
    return { ...viewState(sandbox), ids: idsOf(sandbox, body) };
  },
});

function idsOf(sandbox: Sandbox, document: Fixture): Record<string, string> {
  const { ids, tokens = {} } = sandbox.seeded;
  const spelled = SECTIONS.flatMap((section) =>
    (document[section] ?? []).map(({ as }) => [
      as,
      section === 'tokens'
        ? markToken(sandbox.name, tokens[as] ?? '')
        : spellV2(KINDS[section], ids[as] ?? ''),
    ]),
  );
  const members = document.businesses.flatMap((business) => business.members).map(({ as }) => as);
  const named = members.filter((as) => as !== undefined).map((as) => [as, spellV2('member', ids[as] ?? '')]);
  return Object.fromEntries([...spelled, ...named]);
}
