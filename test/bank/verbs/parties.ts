/**
 * Records for the tests of the bank: people and businesses with the fields that a test sets, a counterparty with
 * every rail, and states that no command can reach, which are written into the rows.
 */

import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { totalsOf } from '../../../src/bank/model/balances.ts';
import type { Fact } from '../../../src/bank/model/facts.ts';
import type {
  Account,
  Address,
  BankDetails,
  Business,
  Counterparty,
  Person,
} from '../../../src/bank/model/records.ts';
import type { HolderWithMembers, NewCounterparty, NewMember } from '../../../src/bank/verbs/inputs.ts';
import type { TestSandbox } from '../../support/sandbox.ts';

export const ADDRESS: Address = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  country: 'US',
  postalCode: '97201',
};

export const person = (changes: Partial<Person> = {}): Person => ({
  firstName: 'Eva',
  middleName: '',
  lastName: 'Stone',
  idType: 'ssn',
  idNumber: '234567890',
  dateOfBirth: '1990-01-31',
  phone: '+15035550170',
  email: 'eva@sandbank.example',
  address: ADDRESS,
  ...changes,
});

export const business = (changes: Partial<Business> = {}): Business => ({
  legalName: 'Stone Works Inc',
  dba: '',
  entityType: 'professional_corporation',
  idType: 'ein',
  idNumber: '912345678',
  phone: '+15035550171',
  email: 'works@sandbank.example',
  formationDate: '2001-02-03',
  address: ADDRESS,
  website: '',
  about: '',
  industry: '',
  naicsCode: '',
  ...changes,
});

export const member = (idNumber: string): NewMember => ({
  person: person({ idNumber }),
  ownership: 1_000,
  title: 'CEO',
  designation: 'president',
  controlPerson: true,
});

const BANK: BankDetails = {
  accountNumber: '5500112233',
  routingNumber: '121042882',
  accountType: 'business_checking',
  bankName: '',
};

/** A counterparty of an account, with every rail; the intra-account one is another account of the bank. */
export function everyRail(accountId: Id, otherAccountId: Id): NewCounterparty {
  return {
    accountId,
    name: 'Harbor Supplies',
    rails: {
      intraAccount: { accountId: otherAccountId },
      ach: { ...BANK, verified: true },
      domesticWire: { ...BANK, address: ADDRESS },
      internationalWire: {
        accountNumber: 'DE89370400440532013000',
        accountType: 'iban',
        identifierType: 'swift',
        beneficiaryAddress: ADDRESS,
        beneficiaryBank: { identifierCode: 'COBADEFF', name: 'Commerzbank', address: ADDRESS },
        correspondentBank: null,
      },
      rtp: BANK,
      fednow: BANK,
      check: { address: ADDRESS },
      card: { address: ADDRESS },
      debitCard: {
        cardNumber: '4000020000000002',
        last4: '0002',
        expiryMonth: '01',
        expiryYear: '2030',
        address: ADDRESS,
      },
    },
  };
}

/** A verified person with an account of their own, at 0.00. */
export async function openAccount(
  { run }: TestSandbox,
  holderName: string,
  idNumber: string,
): Promise<{ file: HolderWithMembers; accountId: Id }> {
  return run((bank) => {
    const { holder } = bank.holders.create({ person: person({ firstName: holderName, idNumber }) });
    const file = bank.holders.submitKyc(holder.id);
    const { account } = bank.accounts.open({ holderId: holder.id, type: 'checking' });
    return { file, accountId: account.id };
  });
}

/** Puts an account into any state. */
export function putAccount({ sandbox }: TestSandbox, id: Id, status: Account['status']): void {
  const account = sandbox.store.accounts.byId(id) as Account;
  sandbox.store.accounts.replace({
    ...account,
    status,
    lockedFrom: status === 'locked' ? 'open' : null,
    closedAt: status === 'closed' ? account.updatedAt : null,
  });
}

/** Puts a counterparty into any state. */
export function putCounterparty({ sandbox }: TestSandbox, id: Id, changes: Partial<Counterparty>): void {
  const counterparty = sandbox.store.counterparties.byId(id) as Counterparty;
  sandbox.store.counterparties.replace({ ...counterparty, ...changes });
}

/** Available balance, pending credits, pending debits. */
export function totals({ bank }: TestSandbox, accountId: Id): [number, number, number] {
  const { availableBalance, pendingCredits, pendingDebits } = totalsOf(bank.accounts.byId(accountId).balance);
  return [availableBalance, pendingCredits, pendingDebits];
}

/** Every published kind, in order. */
export const kindsV1 = (facts: Fact[]): string[] => facts.flatMap(({ kindsV1 }) => kindsV1);
export const kindsV2 = (facts: Fact[]): string[] => facts.flatMap(({ kindsV2 }) => kindsV2);

/** Sets the PIN of a card like its holder. */
export async function setPin({ bank, run }: TestSandbox, cardId: Id): Promise<void> {
  const { expiryMonth, expiryYear, last4 } = bank.cards.byId(cardId).card;
  await run(({ cardVault }) => {
    const { token } = cardVault.pinToken(cardId);
    cardVault.setPin(cardId, token, { expiryMonth, expiryYear, last4 });
  });
}
