/**
 * The changes of status that clients can request for parties, and the check of a card's account.
 * Source: decisions `holder-status-changes` and `card-holder-status` in docs/fidelity.md.
 */
import { illegalStep, legalEvents, type Machine, step } from '../kernel/machine.ts';
import { found, refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { HOLDER_EVENT_FOR, type HolderEvent } from '../model/machines.ts';
import type { Account } from '../model/records.ts';
import type { HolderStatus } from '../model/vocabulary.ts';
import type { Store } from '../store/store.ts';

interface Party {
  status: HolderStatus;
  /** `null` unless it is locked. */
  lockedFrom: HolderStatus | null;
  deactivatedAt: Instant | null;
}

/**
 * The change of a party by a client's request for a status; empty if the client requests none or the current one. A
 * party never returns to `pending_activation`. Refuses: `illegal_step`.
 */
export function statusAfter(
  machine: Machine<HolderStatus, HolderEvent>,
  { status: present }: Pick<Party, 'status'>,
  requested: keyof typeof HOLDER_EVENT_FOR | 'pending_activation' | undefined,
  now: Instant,
): Partial<Party> {
  if (requested === undefined || requested === present) return {};
  if (requested === 'pending_activation') {
    throw illegalStep(machine.name, present, 'go back to pending_activation', legalEvents(machine, present));
  }
  return {
    status: step(machine, present, HOLDER_EVENT_FOR[requested]),
    lockedFrom: null,
    ...(requested === 'deactivated' && { deactivatedAt: now }),
  };
}

/** The account of a card. Refuses: `account_not_found`, `account_not_active` for a closed one. */
export function openAccountOf(store: Store, id: Id): Account {
  const account = found(store.accounts.byId(id), 'account_not_found', { field: 'accountId' });
  if (account.status === 'closed') {
    throw refuse('account_not_active', { field: 'accountId', message: 'the account is closed' });
  }
  return account;
}
