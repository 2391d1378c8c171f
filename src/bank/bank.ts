/**
 * The bank: every verb that may be asked of it, by noun. Each public verb refuses with a named `Refusal` and then has
 * changed nothing, provided that its caller runs it in one transaction of the store, as the group commit does.
 */

import type { Id } from '../kernel/sequence.ts';
import type { RailEvent } from '../model/rails/index.ts';
import type { Attachment, Program } from '../model/records.ts';
import type { AgendaItem } from '../store/store.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createStatements, type Statements } from './accounts/statements.ts';
import { type CardHolders, createCardHolders } from './cards/card-holders.ts';
import { type Cards, createCards } from './cards/cards.ts';
import { type CardPayments, createCardPayments } from './cards/payments.ts';
import { createSolidCards, type SolidCards } from './cards/solid-cards.ts';
import { type CardVault, createCardVault } from './cards/vault.ts';
import { type Counterparties, createCounterparties } from './counterparties/counterparties.ts';
import type { Parts } from './dependencies.ts';
import { type Attachments, createAttachments } from './files/attachments.ts';
import { createDocuments, type Documents } from './files/documents.ts';
import { type BusinessProfiles, createBusinessProfiles } from './holders/business-profiles.ts';
import { createFamilies, type Families } from './holders/families.ts';
import { createHolders, type Holders } from './holders/holders.ts';
import { createMembers, type Members } from './holders/members.ts';
import { type Batches, createBatches } from './payments/batches.ts';
import { createPayments, type Payments } from './payments/payments.ts';
import { createRealTime, type RealTime } from './real-time.ts';
import { createSimulation, type Simulation } from './simulation/payments.ts';
import { createTokens } from './tokens.ts';
import { createOutcomes, type Outcomes } from './transactions/outcomes.ts';
import { createSteps } from './transactions/steps.ts';
import { createMovements } from './transactions/transactions.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** The program, and what is attached to the records under it, which every record shows. */
export interface BankProgram extends Program {
  attachmentsOf(id: Id): readonly Attachment[];
}

export interface Bank {
  readonly program: BankProgram;
  readonly holders: Holders;
  readonly families: Families;
  readonly members: Members;
  readonly businessProfiles: BusinessProfiles;
  readonly accounts: Accounts;
  readonly statements: Statements;
  readonly cardHolders: CardHolders;
  readonly cards: Cards;
  readonly cardVault: CardVault;
  readonly counterparties: Counterparties;
  readonly payments: Payments;
  readonly batches: Batches;
  readonly solidCards: Pick<SolidCards, 'send' | 'withCard'>;
  readonly cardPayments: CardPayments;
  readonly documents: Documents;
  readonly attachments: Attachments;
  readonly webhooks: Webhooks;
  readonly outcomes: Outcomes;
  readonly realTime: RealTime;
  readonly simulation: Simulation;
  /** Takes one planned step, with the clock at the instant for which it was planned. */
  takePlannedStep(item: AgendaItem): void;
}

/** Builds a bank from its parts. */
export function createBank(parts: Parts): Bank {
  const counterparties = createCounterparties(parts);
  const cards = createCards(parts);
  const tokens = createTokens(parts);
  const movements = createMovements(parts);
  const outcomes = createOutcomes(parts);
  const accounts = createAccounts(parts, movements, outcomes);
  const holders = createHolders(parts);
  const families = createFamilies(parts);
  const realTime = createRealTime(parts);
  const attachments = createAttachments(parts);
  const cardPayments = createCardPayments(parts, accounts, cards, movements, outcomes, realTime);
  const takeStep = createSteps(movements, cardPayments);
  const payments = createPayments(parts, accounts, counterparties, movements, outcomes, realTime, takeStep);
  const cardHolders = createCardHolders(parts);
  const nouns = { accounts, counterparties, cardHolders, cards, movements };
  const solidCards = createSolidCards(parts, nouns);
  return {
    program: { ...parts.program, attachmentsOf: attachments.of },
    holders,
    families,
    members: createMembers(parts, holders, families),
    businessProfiles: createBusinessProfiles(parts),
    accounts,
    statements: createStatements(parts, accounts),
    cardHolders,
    cards: { ...cards, change: solidCards.change },
    solidCards,
    cardVault: createCardVault(parts, cards, tokens),
    counterparties,
    payments,
    batches: createBatches(parts, payments),
    cardPayments,
    documents: createDocuments(parts),
    attachments,
    webhooks: createWebhooks(parts),
    outcomes,
    realTime,
    simulation: createSimulation(parts, { holders, accounts, cards }, movements, cardPayments, takeStep),
    takePlannedStep(item) {
      parts.clock.at(item.dueAt, () => {
        if (item.task === 'verification') {
          holders.takePlanned(item);
          return;
        }
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
        takeStep(transaction, item.event as RailEvent, reason);
      });
    },
  };
}
