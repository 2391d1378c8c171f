/**
 * What a sandbox is at this moment, and the ids of the records that it was founded with, each in the spelling of the
 * generation that uses it.
 */
import { type IdKind, spellV1, spellV2 } from '../../dialects/identifiers.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import { openingTransactionOf } from '../../sandboxes/fixture.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { ClockMode, SandboxClock } from '../../sandboxes/sandbox-clock.ts';

type Spell = (kind: IdKind, id: Id) => string;

/** The records of the default fixture by the names under which tests ask for them. */
const FIXTURE: readonly (readonly [string, Spell, IdKind, string])[] = [
  ['person_holder_id', spellV2, 'holder', 'person'],
  ['business_holder_id', spellV2, 'holder', 'business'],
  ['sub_account_id', spellV2, 'account', 'account'],
  ['other_sub_account_id', spellV2, 'account', 'other_account'],
  ['card_holder_id', spellV2, 'card_holder', 'card_holder'],
  ['virtual_card_id', spellV2, 'card', 'virtual_card'],
  ['physical_card_id', spellV2, 'card', 'physical_card'],
  ['ach_counterparty_id', spellV2, 'counterparty', 'ach_counterparty'],
  ['intra_counterparty_id', spellV2, 'counterparty', 'intra_counterparty'],
  ['transaction_id', spellV2, 'transaction', openingTransactionOf('account')],
  ['person_id', spellV1, 'person', 'person'],
  ['account_id', spellV1, 'account', 'account'],
  ['contact_id', spellV1, 'counterparty', 'ach_counterparty'],
  ['card_id', spellV1, 'card', 'virtual_card'],
];

/** The ids that the bank was founded with; another seed document may lack some of the default one's records. */
export function seededIds({ seeded, program, store }: Sandbox): Record<string, string> {
  const records = FIXTURE.flatMap(([name, spell, kind, record]) => {
    const id = seeded.ids[record];
    return id === undefined ? [] : [[name, spell(kind, id)]];
  });
  return {
    client_id: spellV2('client', program.clientId),
    program_id: spellV1('program', program.programId),
    master_account_holder_id: spellV2('master_account_holder', program.masterAccountHolderId),
    master_account_id: spellV2('master_account', program.masterAccountId),
    ...Object.fromEntries(records),
    webhook_id: spellV1('webhook', seeded.webhookId),
    // As it is now: it may have been rotated.
    webhook_secret: store.webhooks.byId(seeded.webhookId)?.secret ?? seeded.webhookSecret,
  };
}

/** The answer of `GET /_sandbox`. */
export function summarize(sandbox: Sandbox, version: string) {
  return {
    version,
    sandbox: sandbox.name,
    clock: viewClock(sandbox.clock),
    rails: sandbox.rails,
    counts: sandbox.store.counts(),
    seeded: seededIds(sandbox),
  };
}

/** The clock as the control plane shows it. */
export function viewClock(clock: SandboxClock): { mode: ClockMode; now: string; rate: number } {
  const { mode, rate } = clock.setting();
  return { mode, now: formatInstant(clock.now()), rate };
}
