/**
 * What a sandbox is at this moment, and the ids of the records that it was founded with, each in the spelling of the
 * generation that uses it.
 */
import { spellV1, spellV2 } from '../../dialects/identifiers.ts';
import { formatInstant } from '../../kernel/time.ts';
import { seededId } from '../../sandboxes/founding.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { SandboxClock } from '../../sandboxes/sandbox-clock.ts';

/** The ids of the default fixture by the names under which tests ask for them. */
export function seededIds({ seeded, program, store }: Sandbox): Record<string, string> {
  const person = seededId(seeded, 'person');
  const account = seededId(seeded, 'account');
  const achCounterparty = seededId(seeded, 'ach_counterparty');
  const virtualCard = seededId(seeded, 'virtual_card');
  return {
    client_id: spellV2('client', program.clientId),
    program_id: spellV1('program', program.programId),
    master_account_holder_id: spellV2('master_account_holder', program.masterAccountHolderId),
    master_account_id: spellV2('master_account', program.masterAccountId),
    person_holder_id: spellV2('holder', person),
    business_holder_id: spellV2('holder', seededId(seeded, 'business')),
    sub_account_id: spellV2('account', account),
    other_sub_account_id: spellV2('account', seededId(seeded, 'other_account')),
    card_holder_id: spellV2('card_holder', seededId(seeded, 'card_holder')),
    virtual_card_id: spellV2('card', virtualCard),
    physical_card_id: spellV2('card', seededId(seeded, 'physical_card')),
    ach_counterparty_id: spellV2('counterparty', achCounterparty),
    intra_counterparty_id: spellV2('counterparty', seededId(seeded, 'intra_counterparty')),
    person_id: spellV1('person', person),
    account_id: spellV1('account', account),
    contact_id: spellV1('counterparty', achCounterparty),
    card_id: spellV1('card', virtualCard),
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
export function viewClock(clock: SandboxClock): { mode: string; now: string; rate: number } {
  const { mode, rate } = clock.setting();
  return { mode, now: formatInstant(clock.now()), rate };
}
