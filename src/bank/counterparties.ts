/**
 * Counterparties (v2) and contacts (v1): the other side of a payment, with its details for each rail. An account of
 * this bank is found by its number and kept with its id, so that an intra-account payment can never miss.
 */
import { step } from '../kernel/machine.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { bankName } from '../model/banks.ts';
import { COUNTERPARTY, HOLDER_EVENT_FOR } from '../model/machines.ts';
import type { Account, Counterparty, CounterpartyRails } from '../model/records.ts';
import { announce } from './announce.ts';
import { nameOfPerson } from './holders.ts';
import type { CounterpartyChange, NewCounterparty, RailsChange } from './inputs.ts';
import { mergeMetadata } from './metadata.ts';
import type { Parts } from './parts.ts';

export interface Counterparties {
  /** Refuses: `account_not_found`, `intra_account_unknown`, `intra_account_own`. */
  create(input: NewCounterparty): Counterparty;
  /** Refuses: `counterparty_not_found`. */
  byId(id: Id): Counterparty;
  /** Rails that are not named stay. Refuses as `create` does, and `counterparty_not_found` for a deleted one. */
  change(id: Id, change: CounterpartyChange): Counterparty;
}

const NO_RAILS: CounterpartyRails = {
  intraAccount: null,
  ach: null,
  domesticWire: null,
  internationalWire: null,
  rtp: null,
  fednow: null,
  check: null,
  card: null,
  debitCard: null,
};

/** The verbs of counterparties. */
export function createCounterparties(parts: Parts): Counterparties {
  const { store, sequence, clock, outbox } = parts;

  const byId = (id: Id): Counterparty => {
    const counterparty = store.counterparties.byId(id);
    if (counterparty === undefined) throw refuse('counterparty_not_found');
    return counterparty;
  };

  const accountOf = (id: Id): Account => {
    const account = store.accounts.byId(id);
    if (account === undefined) throw refuse('account_not_found');
    return account;
  };

  const resolveIntraAccount = (
    asked: NonNullable<RailsChange['intraAccount']>,
    own: Account,
    relation: Counterparty['relation'],
  ): CounterpartyRails['intraAccount'] => {
    const id = asked.accountId ?? store.accounts.idOfNumber(asked.accountNumber ?? '');
    const account = id === undefined ? undefined : store.accounts.byId(id);
    if (account === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount' });
    if (account.id === own.id || (relation === 'others' && account.holderId === own.holderId)) {
      throw refuse('intra_account_own', { field: 'intraAccount' });
    }
    return { accountId: account.id, accountNumber: account.accountNumber };
  };

  const applyRails = (
    present: CounterpartyRails,
    change: RailsChange | undefined,
    own: Account,
    relation: Counterparty['relation'],
  ): CounterpartyRails => {
    if (change === undefined) return present;
    const { intraAccount, ...rest } = change;
    const rails: CounterpartyRails = { ...present, ...rest };
    if (intraAccount !== undefined) {
      rails.intraAccount = intraAccount === null ? null : resolveIntraAccount(intraAccount, own, relation);
    }
    return nameBanks(rails);
  };

  return {
    byId,

    create(input) {
      const account = accountOf(input.accountId);
      const relation = input.relation ?? 'others';
      const name =
        input.name ??
        (input.person === undefined ? (input.business?.legalName ?? '') : nameOfPerson(input.person));
      const now = clock.now();
      const counterparty: Counterparty = {
        id: sequence.id(now),
        accountId: account.id,
        holderId: account.holderId,
        name,
        label: input.label ?? name,
        type: input.type ?? (input.business === undefined ? 'person' : 'business'),
        relation,
        person: input.person ?? null,
        business: input.business ?? null,
        email: input.email ?? '',
        phone: input.phone ?? '',
        rails: applyRails(NO_RAILS, input.rails, account, relation),
        externalReferenceId: input.externalReferenceId ?? '',
        purpose: input.purpose ?? '',
        ofacStatus: 'pass',
        ofacAt: now,
        metadata: mergeMetadata(null, input.metadata),
        status: 'activated',
        lockedFrom: null,
        createdAt: now,
        updatedAt: now,
        deactivatedAt: null,
        deletedAt: null,
      };
      store.counterparties.insert(counterparty);
      announce(outbox, {
        resource: 'counterparty',
        id: counterparty.id,
        change: 'created',
        at: now,
        record: counterparty,
      });
      return counterparty;
    },

    change(id, change) {
      const present = byId(id);
      if (present.deletedAt !== null) throw refuse('counterparty_not_found');
      const now = clock.now();
      const { rails, metadata, status, person, business, ...plain } = change;
      const moves = status !== undefined && status !== present.status;
      const next: Counterparty = {
        ...present,
        ...plain,
        person:
          person === undefined || present.person === null ? present.person : { ...present.person, ...person },
        business:
          business === undefined || present.business === null
            ? present.business
            : { ...present.business, ...business },
        rails: applyRails(present.rails, rails, accountOf(present.accountId), present.relation),
        metadata: mergeMetadata(present.metadata, metadata),
        status: moves ? step(COUNTERPARTY, present.status, HOLDER_EVENT_FOR[status]) : present.status,
        lockedFrom: moves ? null : present.lockedFrom,
        deactivatedAt: moves && status === 'deactivated' ? now : present.deactivatedAt,
        updatedAt: now,
      };
      store.counterparties.replace(next);
      announce(outbox, { resource: 'counterparty', id, change: 'updated', at: now, record: next });
      if (moves) announce(outbox, { resource: 'counterparty', id, change: 'status', at: now, record: next });
      return next;
    },
  };
}

/** A bank that was not named is looked up by its routing number. */
function nameBanks(rails: CounterpartyRails): CounterpartyRails {
  const named = <T extends { routingNumber: string; bankName: string }>(bank: T | null): T | null =>
    bank === null || bank.bankName !== '' ? bank : { ...bank, bankName: bankName(bank.routingNumber) };
  return {
    ...rails,
    ach: named(rails.ach),
    domesticWire: named(rails.domesticWire),
    rtp: named(rails.rtp),
    fednow: named(rails.fednow),
  };
}
