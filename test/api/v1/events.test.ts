/**
 * v1's event envelope: four keys, and the record of the kind.
 */
import { describe, expect, test } from 'vitest';
import { formatAccount } from '../../../src/api/v1/accounts/format.ts';
import { formatBusiness } from '../../../src/api/v1/businesses/format.ts';
import { formatDeclined } from '../../../src/api/v1/cards/declined.ts';
import { formatCard } from '../../../src/api/v1/cards/format.ts';
import { formatContact } from '../../../src/api/v1/contacts/format.ts';
import { formatEvent } from '../../../src/api/v1/events.ts';
import { formatPerson } from '../../../src/api/v1/persons.ts';
import { formatTransaction } from '../../../src/api/v1/transactions/format.ts';
import { formatTransfer } from '../../../src/api/v1/transfers/format.ts';
import { formatKyb, formatKyc } from '../../../src/api/v1/verification.ts';
import type { Change, Fact, FactRecords, Resource } from '../../../src/model/facts.ts';
import {
  accountFile,
  businessHolder,
  CARD_DETAILS,
  cardFile,
  counterparty,
  id,
  NOON,
  PERSON,
  PROGRAM,
  personHolder,
  transaction,
  uuid,
} from './samples.ts';

function factOf<R extends Resource>(
  resource: R,
  record: FactRecords[R],
  change: Change = 'created',
  moved: number | null = null,
): Fact {
  return { seq: 1, at: NOON, resource, resourceId: id(50), change, kindsV1: [], kindsV2: [], moved, record };
}

interface Envelope {
  eventType: string;
  programId: string;
  env: string;
  data: object;
}

const write = (kind: string, fact: Fact): Envelope =>
  JSON.parse(formatEvent({ kind, fact, program: PROGRAM }));

const pull = transaction('ach_pull');
const person = { holder: personHolder(), members: [] };
const business = { holder: businessHolder(), members: [] };

describe('the envelope', () => {
  test('it has four keys and no id or time of its own', () => {
    const envelope = write('transfer.created', factOf('transaction', pull));
    expect(Object.keys(envelope)).toEqual(['eventType', 'programId', 'env', 'data']);
    expect(envelope).toMatchObject({
      eventType: 'transfer.created',
      programId: `prg-${uuid(2)}`,
      env: 'test',
    });
  });

  test.each(['transfer.created', 'transfer.updated'])('%s carries the transfer', (kind) => {
    expect(write(kind, factOf('transaction', pull)).data).toEqual(formatTransfer(pull, PROGRAM));
  });

  test.each([
    'ach.originated.credit',
    'ach.received.credit',
    'ach.received.declined',
    'account.credit',
    'account.debit',
  ])('%s carries the transaction', (kind) => {
    expect(write(kind, factOf('transaction', pull)).data).toEqual(formatTransaction(pull, PROGRAM));
  });

  test.each(['card.spend', 'card.reversal', 'card.refund', 'account.debit'])(
    '%s carries the transaction',
    (kind) => {
      const spent = transaction('card_authorization');
      expect(write(kind, factOf('transaction', spent)).data).toEqual(formatTransaction(spent, PROGRAM));
    },
  );

  test('card.declined carries the refused authorization, with the currency in letters', () => {
    const declined = transaction('card_authorization', { status: 'declined', type: 'decline' });
    const { data } = write('card.declined', factOf('transaction', declined));
    expect(data).toEqual(formatDeclined(declined, 'event'));
    expect(data).toMatchObject({ currency: 'USD' });
  });

  test('card.spend.update is the changed purchase', () => {
    const spent = transaction('card_authorization', { amount: 300 });
    expect(write('card.spend.update', factOf('transaction', spent, 'progressed')).data).toEqual({
      ...formatTransaction(spent, PROGRAM),
      subType: 'authUpdate',
      parentTxnId: `txn-${uuid(50)}`,
      parentTransferId: `tra-${uuid(50)}`,
    });
  });

  describe('a change of balance', () => {
    const withChange = (kind: string, moved: number | null) => {
      const spent = transaction('card_authorization', {
        amount: 300,
        availableBalance: 80_500,
        bookedBalance: 81_200,
        details: { ...CARD_DETAILS, localAmount: 4_120 },
      });
      return write(kind, factOf('transaction', spent, 'progressed', moved)).data;
    };

    test('of an update is the difference, with its sign and the balance after it', () => {
      expect(withChange('account.credit', 3_820)).toMatchObject({
        id: `txn-${uuid(50)}`,
        txnType: 'credit',
        amount: '38.20',
        balance: '805.00',
        subType: 'authUpdate',
        parentTxnId: `txn-${uuid(50)}`,
        card: { localTransactionAmount: '-41.20' },
      });
      expect(withChange('account.debit', -180)).toMatchObject({ txnType: 'debit', amount: '-1.80' });
    });

    test('leaves the new total to the event of the update', () => {
      expect(withChange('card.spend.update', 3_820)).toMatchObject({
        txnType: 'debit',
        amount: '-3.00',
        balance: '812.00',
      });
    });

    test('is the row itself where the row is what moved', () => {
      const sent = transaction('ach_push');
      expect(write('account.debit', factOf('transaction', sent, 'created', -4_120)).data).toEqual(
        formatTransaction(sent, PROGRAM),
      );
    });

    test('of a fact that does not know what moved is its record', () => {
      expect(withChange('account.credit', null)).toMatchObject({
        txnType: 'debit',
        amount: '-3.00',
        subType: 'auth',
        parentTxnId: '',
      });
    });
  });

  test.each(['account.created', 'account.updated'])('%s carries the account', (kind) => {
    expect(write(kind, factOf('account', accountFile())).data).toEqual(formatAccount(accountFile(), PROGRAM));
  });

  test.each(['contact.created', 'contact.updated'])('%s carries the contact', (kind) => {
    const fact = factOf('counterparty', counterparty());
    expect(write(kind, fact).data).toEqual(formatContact(counterparty(), PROGRAM));
  });

  test.each(['card.updated', 'card.canceled', 'card.replaced'])('%s carries the card', (kind) => {
    expect(write(kind, factOf('card', cardFile())).data).toEqual(formatCard(cardFile(), PROGRAM));
  });

  test.each(['person.created', 'person.updated'])('%s carries the person', (kind) => {
    expect(write(kind, factOf('holder', person)).data).toEqual(formatPerson(person.holder, PERSON, PROGRAM));
  });

  test.each(['business.created', 'business.updated'])('%s carries the business', (kind) => {
    expect(write(kind, factOf('holder', business)).data).toEqual(formatBusiness(business, PROGRAM));
  });

  test.each(['person.kyc.approved', 'person.kyc.review', 'person.kyc.declined', 'person.kyc.updated'])(
    '%s carries the KYC',
    (kind) => {
      expect(write(kind, factOf('holder', person, 'verified')).data).toEqual(formatKyc(person.holder));
    },
  );

  test.each(['business.kyb.approved', 'business.kyb.review', 'business.kyb.declined'])(
    '%s carries the KYB',
    (kind) => {
      expect(write(kind, factOf('holder', business, 'verified')).data).toEqual(formatKyb(business.holder));
    },
  );

  test('a fact that v1 has no record of is refused', () => {
    const fact = factOf('card_holder', cardFile().cardHolder);
    expect(() => formatEvent({ kind: 'card.updated', fact, program: PROGRAM })).toThrow('v1 has no record');
  });
});
