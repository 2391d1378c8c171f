/**
 * The bank: every verb that may be asked of it, by noun. Each public verb refuses with a named `Refusal` and then has
 * changed nothing, provided that its caller runs it in one transaction of the store, as the group commit does.
 */

import type { RailEvent } from '../model/rails.ts';
import type { Program } from '../model/records.ts';
import type { AgendaItem } from '../store/store.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { type CardPayments, createCardPayments } from './card-payments.ts';
import { type Cards, createCards } from './cards.ts';
import { type Counterparties, createCounterparties } from './counterparties.ts';
import { createDocuments, type Documents } from './documents.ts';
import { createHolders, type Holders } from './holders.ts';
import { createMovements } from './movements.ts';
import { createOutcomes, type Outcomes } from './outcomes.ts';
import type { Parts } from './parts.ts';
import { createPayments, type Payments } from './payments.ts';
import { createRealTime, type RealTime } from './rta.ts';
import { createSimulation, type Simulation } from './simulation.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

export interface Bank {
  readonly program: Program;
  readonly holders: Holders;
  readonly accounts: Accounts;
  readonly cards: Cards;
  readonly counterparties: Counterparties;
  readonly payments: Payments;
  readonly cardPayments: CardPayments;
  readonly documents: Documents;
  readonly webhooks: Webhooks;
  readonly outcomes: Outcomes;
  readonly realTime: RealTime;
  readonly simulation: Simulation;
  /** Takes one planned step, with the clock at the instant for which it was planned. */
  takePlannedStep(item: AgendaItem): void;
}

/** Builds a bank from its parts. */
export function createBank(parts: Parts): Bank {
  const accounts = createAccounts(parts);
  const counterparties = createCounterparties(parts);
  const cards = createCards(parts);
  const movements = createMovements(parts);
  const holders = createHolders(parts);
  const outcomes = createOutcomes(parts);
  const realTime = createRealTime(parts);
  const cardPayments = createCardPayments(parts, accounts, cards, movements, outcomes, realTime);
  return {
    program: parts.program,
    holders,
    accounts,
    cards,
    counterparties,
    payments: createPayments(parts, accounts, counterparties, movements, outcomes, realTime),
    cardPayments,
    documents: createDocuments(parts),
    webhooks: createWebhooks(parts),
    outcomes,
    realTime,
    simulation: createSimulation(parts, { holders, accounts, cards }, movements, cardPayments),
    takePlannedStep(item) {
      parts.clock.at(item.dueAt, () => {
        const transaction = movements.byId(item.subjectId);
        // Another command of the same turn may have moved it since the agenda was read.
        if (transaction.dueAt !== item.dueAt) {
          parts.store.agenda.remove(item.dueAt, item.subjectId);
          return;
        }
        const planned = transaction.outcome;
        // What was decided for an instant is taken in whatever state the transaction is in by then.
        const decided =
          planned?.event === item.event &&
          (planned.at !== undefined || planned.status === transaction.status);
        const reason = decided ? planned.reason : null;
        if (item.event === 'expire') cardPayments.expire(transaction);
        else movements.happen(transaction, item.event as RailEvent, reason);
      });
    },
  };
}
