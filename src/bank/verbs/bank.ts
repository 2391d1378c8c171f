/**
 * The bank: all its verbs, by noun. A verb that throws a `Refusal` has changed nothing, provided that its caller runs
 * it in one transaction of the store, as the group commit does.
 */

import type { RailEvent } from '../model/rails/index.ts';
import type { Program } from '../model/records.ts';
import type { AgendaItem } from '../store/store.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createFallbacks } from './accounts/fallbacks.ts';
import { createStatements, type Statements } from './accounts/statements.ts';
import { createWallets, type Wallets } from './accounts/wallets.ts';
import { type CardHolders, createCardHolders } from './cards/card-holders.ts';
import { type Cards, createCards } from './cards/cards.ts';
import { type CardPayments, createCardPayments } from './cards/payments.ts';
import { createRecall } from './cards/recalls.ts';
import { createSolidCards, type SolidCards } from './cards/solid-cards.ts';
import { type CardVault, createCardVault } from './cards/vault.ts';
import { type Counterparties, createCounterparties } from './counterparties/counterparties.ts';
import { createPlaid, type Plaid } from './counterparties/plaid.ts';
import type { Dependencies } from './dependencies.ts';
import { type Attachments, createAttachments } from './files/attachments.ts';
import { createDocuments, type Documents } from './files/documents.ts';
import { type BusinessProfiles, createBusinessProfiles } from './holders/business-profiles.ts';
import { createFamilies, type Families } from './holders/families.ts';
import { createHolders, type Holders } from './holders/holders.ts';
import { createMembers, type Members } from './holders/members.ts';
import type { CheckPage } from './holders/verification.ts';
import { type Batches, createBatches } from './payments/batches.ts';
import { createPayments, type Payments } from './payments/payments.ts';
import { createRealTime, type RealTime } from './real-time.ts';
import { createSimulation, type Simulation } from './simulation/payments.ts';
import { createTokens } from './tokens.ts';
import { createOutcomes, type Outcomes } from './transactions/outcomes.ts';
import { createSteps } from './transactions/steps.ts';
import { createTransactions } from './transactions/transactions.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** The program, and the pages of checks if there are any. */
interface BankProgram extends Program {
  readonly checkPage?: CheckPage;
}

export interface Bank {
  readonly program: BankProgram;
  readonly holders: Holders;
  readonly families: Families;
  readonly wallets: Wallets;
  readonly members: Members;
  readonly businessProfiles: BusinessProfiles;
  readonly accounts: Accounts;
  readonly statements: Statements;
  readonly cardHolders: CardHolders;
  readonly cards: Cards;
  readonly cardVault: CardVault;
  readonly counterparties: Counterparties;
  readonly plaid: Plaid;
  readonly payments: Payments;
  readonly batches: Batches;
  readonly solidCards: SolidCards;
  readonly cardPayments: CardPayments;
  readonly documents: Documents;
  readonly attachments: Attachments;
  readonly webhooks: Webhooks;
  readonly outcomes: Outcomes;
  readonly realTime: RealTime;
  readonly simulation: Simulation;
  /** Executes a scheduled step, with the clock at its scheduled time. */
  takePlannedStep(item: AgendaItem): void;
}

/** Creates a bank. */
export function createBank(dependencies: Dependencies): Bank {
  const counterparties = createCounterparties(dependencies);
  const tokens = createTokens(dependencies);
  const transactions = createTransactions(dependencies);
  const outcomes = createOutcomes(dependencies);
  const accounts = createAccounts(dependencies, transactions, outcomes);
  const fallbacks = createFallbacks(dependencies, transactions);
  const cards = createCards(dependencies, createRecall(dependencies, accounts, transactions));
  const holders = createHolders(dependencies);
  const families = createFamilies(dependencies);
  const realTime = createRealTime(dependencies);
  const cardPayments = createCardPayments(dependencies, {
    accounts,
    fallbacks,
    cards,
    transactions,
    outcomes,
    realTime,
  });
  const takeStep = createSteps(transactions, cardPayments);
  const payments = createPayments(
    dependencies,
    accounts,
    fallbacks,
    counterparties,
    transactions,
    outcomes,
    realTime,
    takeStep,
  );
  const cardHolders = createCardHolders(dependencies);
  return {
    program: dependencies.program,
    holders,
    families,
    members: createMembers(dependencies, holders, families),
    businessProfiles: createBusinessProfiles(dependencies),
    accounts,
    statements: createStatements(dependencies, accounts),
    wallets: createWallets(dependencies),
    cardHolders,
    cards,
    solidCards: createSolidCards(dependencies, {
      accounts,
      counterparties,
      cardHolders,
      cards,
      transactions,
    }),
    cardVault: createCardVault(dependencies, cards, tokens),
    counterparties,
    plaid: createPlaid(dependencies, counterparties),
    payments,
    batches: createBatches(dependencies, payments),
    cardPayments,
    documents: createDocuments(dependencies),
    attachments: createAttachments(dependencies),
    webhooks: createWebhooks(dependencies),
    outcomes,
    realTime,
    simulation: createSimulation(
      dependencies,
      { holders, accounts, cards },
      transactions,
      cardPayments,
      takeStep,
    ),
    takePlannedStep(item) {
      dependencies.clock.at(item.dueAt, () => {
        if (item.task === 'verification') {
          holders.takePlanned(item);
          return;
        }
        const transaction = transactions.byId(item.subjectId);
        // Another command of the same turn may have rescheduled it after the agenda was read.
        if (transaction.dueAt !== item.dueAt) {
          dependencies.store.agenda.remove(item.dueAt, item.subjectId);
          return;
        }
        const planned = transaction.outcome;
        // An outcome with a time is executed in any state of the transaction.
        const decided =
          planned?.event === item.event &&
          (planned.at !== undefined || planned.status === transaction.status);
        const reason = decided ? planned.reason : null;
        takeStep(transaction, item.event as RailEvent, reason);
      });
    },
  };
}
