/**
 * The kinds of v1 events that never occur in this bank, with their records: money in other currencies, rewards,
 * cash deposits, and the requests of real-time authorization, which are sent to a separate address. A webhook can
 * subscribe to them and receive an example, which is derived from the example of another kind.
 * Source: decisions `v1-uncaused-kinds` and `event-examples` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { Account } from './accounts/shapes.ts';
import { Card } from './cards/shapes.ts';
import {
  Currency,
  enumOf,
  IdText,
  Last4,
  LimitMoney,
  Metadata,
  Money,
  object,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  Timestamp,
  text,
} from './fields.ts';
import { Merchant, Transaction } from './transactions/shapes.ts';
import { Transfer } from './transfers/shapes.ts';
import { Wallet } from './wallets.ts';

/** Returns the record of another kind's example. */
type ExampleOf = (kind: string) => Record<string, unknown>;

/** A kind that never occurs: the shape of its record, and an example. */
export interface Unserved {
  readonly shape: TSchema;
  readonly example: (of: ExampleOf) => object;
}

const AuthRequestAccount = object({
  id: IdText,
  label: Text,
  type: Account.properties.type,
  balance: SignedMoney,
  currency: Currency,
  metadata: Metadata,
});

/** The request `card.auth.request`; the capitalized keys are the platform's. */
const CardAuthorizationRequest = record(
  'CardAuthorizationRequest',
  'The authorization request for a card payment.',
  {
    id: IdText,
    amount: Money,
    status: enumOf(['pending']),
    merchant: Merchant,
    Account: AuthRequestAccount,
    Card: object({
      id: IdText,
      label: Text,
      bin: Card.properties.bin,
      type: Card.properties.cardType,
      theme: text('The design of the card.'),
      limitAmount: LimitMoney,
      limitInterval: Card.properties.limitInterval,
      last4: Last4,
      cardStatus: Card.properties.cardStatus,
      metadata: Metadata,
    }),
  },
);

/** The request `ach.auth.request`. */
const AchAuthorizationRequest = record(
  'AchAuthorizationRequest',
  'The authorization request for an ACH debit.',
  {
    id: IdText,
    amount: Money,
    status: enumOf(['pending']),
    createdAt: Timestamp,
    personId: IdText,
    programId: IdText,
    Account: AuthRequestAccount,
    Ach: object({
      id: IdText,
      senderName: Text,
      senderRoutingNumber: RoutingNumber,
      traceNumber: text('The trace number of 14 digits; "" until the payment is sent.'),
      description: Text,
      addenda: text('The addenda of the payment; "" for none.'),
      createdAt: Timestamp,
    }),
  },
);

const transactionExample = (like: string, change: object): Unserved => ({
  shape: Transaction,
  example: (of) => ({ ...of(like), ...change }),
});
const rewardExample = (status: string): Unserved =>
  transactionExample('card.refund', { subType: 'reward', title: 'Reward', description: 'Reward', status });
const cryptoExample = (like: string, transferType: string): Unserved =>
  transactionExample(like, { transferType, ach: null, description: 'BTC' });

const walletTransferExample: Unserved = {
  shape: Transfer,
  example: (of) => ({ ...of('transfer.created'), transferType: 'send' }),
};

function authRequestAccount(of: ExampleOf): object {
  const { id, label, type, availableBalance, currency, metadata } = of('account.updated');
  return { id, label, type, balance: availableBalance, currency, metadata };
}

export const UNSERVED: Readonly<Record<string, Unserved>> = {
  'ach.auth.request': {
    shape: AchAuthorizationRequest,
    example: (of) => {
      const { id, amount, personId, programId, createdAt, description, ach } = of('ach.received.debit');
      const { name, routingNumber, traceNumber } = ach as Record<string, unknown>;
      return {
        id: String(id).replace('txn-', 'aar-'),
        amount: String(amount).replace('-', ''),
        status: 'pending',
        createdAt,
        personId,
        programId,
        Account: authRequestAccount(of),
        Ach: {
          id: String(id).replace('txn-', 'act-'),
          senderName: name,
          senderRoutingNumber: routingNumber,
          traceNumber,
          description,
          addenda: '',
          createdAt,
        },
      };
    },
  },
  'card.auth.request': {
    shape: CardAuthorizationRequest,
    example: (of) => {
      const spend = of('card.spend');
      const { id, label, bin, cardType, theme, limitAmount, limitInterval, last4, cardStatus, metadata } =
        of('card.updated');
      return {
        id: String(spend.id).replace('txn-', 'car-'),
        amount: String(spend.amount).replace('-', ''),
        status: 'pending',
        merchant: (spend.card as Record<string, unknown>).merchant,
        Account: authRequestAccount(of),
        Card: {
          id,
          label,
          bin,
          type: cardType,
          theme,
          limitAmount,
          limitInterval,
          last4,
          cardStatus,
          metadata,
        },
      };
    },
  },
  'card.deposit': transactionExample('card.refund', { title: 'Cash deposit', description: 'Cash deposit' }),
  'card.enriched': transactionExample('card.spend', {
    enrichedData: {
      merchant: {
        name: 'Harbor Books',
        email: '',
        phone: '+18315550100',
        website: 'https://harbor-books.example',
        logo: '',
        address: '1 Pier Street, Monterey',
        location: '',
      },
      chartOfAccounts: ['office supplies'],
      labels: ['books'],
    },
  }),
  'card.reward.canceled': rewardExample('canceled'),
  'card.reward.credit': rewardExample('settled'),
  'card.reward.pending': rewardExample('pending'),
  'card.wallet.updated': { shape: Card, example: (of) => of('card.wallet.created') },
  'solidcard.topup': transactionExample('solidcard.originated.debit', { subType: 'topup', title: 'Top up' }),
  'wallet.updated': { shape: Wallet, example: (of) => of('wallet.created') },
  'wallet.credit': cryptoExample('ach.received.credit', 'receive'),
  'wallet.debit': cryptoExample('ach.originated.debit', 'send'),
  'wallet.transfer.created': walletTransferExample,
  'wallet.transfer.updated': walletTransferExample,
};
