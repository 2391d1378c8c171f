/**
 * What every noun with a status does alike: a step of its machine, the lock and the way back from it, and the words of a
 * client that would put a party among those that wait.
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

interface Lockable<Status> {
  status: Status;
  /** `null` while it is not locked. */
  lockedFrom: Status | null;
  updatedAt: Instant;
}

/** The record after an event; one that is locked remembers the state before. Refuses: `illegal_step`. */
export function afterEvent<Status extends string, Event extends string, Row extends Lockable<Status>>(
  machine: Machine<Status, Event>,
  row: Row,
  event: Event,
  now: Instant,
): Row {
  const status = step(machine, row.status, event);
  return { ...row, status, lockedFrom: status === 'locked' ? row.status : null, updatedAt: now };
}

/** The status of a party after what a client requests, which never puts one back among those that wait. Refuses: `illegal_step`. */
export function statusAfter(
  machine: Machine<HolderStatus, HolderEvent>,
  present: HolderStatus,
  requested: keyof typeof HOLDER_EVENT_FOR | 'pending_activation',
): HolderStatus {
  if (requested === 'pending_activation') {
    throw illegalStep(machine.name, present, 'go back to pending_activation', legalEvents(machine, present));
  }
  return step(machine, present, HOLDER_EVENT_FOR[requested]);
}

/** The account that a card is to be used under. Refuses: `account_not_found`, `account_not_active` for a closed one. */
export function openAccountOf(store: Store, id: Id): Account {
  const account = found(store.accounts.byId(id), 'account_not_found', { field: 'accountId' });
  if (account.status === 'closed') {
    throw refuse('account_not_active', { field: 'accountId', message: 'the account is closed' });
  }
  return account;
}
