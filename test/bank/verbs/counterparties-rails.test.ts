// The rails of a counterparty: the accepted bank numbers, the details that a change in one API version leaves to the
// other, and the stored data of a debit card.

import { describe, expect, test } from 'vitest';
import type { NewDebitCard, RailsChange } from '../../../src/bank/verbs/inputs.ts';
import { TOKEN_MS } from '../../../src/bank/verbs/tokens.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { ADDRESS, everyRail, kindsV1, kindsV2 } from './parties.ts';

const BANK = {
  accountNumber: '1',
  routingNumber: '121042882',
  accountType: 'personal_checking',
  bankName: '',
} as const;
const ABROAD = {
  accountNumber: '2',
  accountType: 'iban',
  identifierType: 'swift',
  beneficiaryAddress: ADDRESS,
  beneficiaryBank: { identifierCode: 'COBADEFF', name: '', address: null },
  correspondentBank: null,
};
const CARD: NewDebitCard = {
  cardNumber: '4000 0566 5566 5556',
  expiryMonth: '04',
  expiryYear: '2030',
  address: ADDRESS,
};

const create = ({ run, id }: TestSandbox, rails: RailsChange = {}) =>
  run(({ counterparties }) => counterparties.create({ accountId: id('account'), name: 'Harbor', rails }));

const change = ({ run }: TestSandbox, id: string, rails: RailsChange) =>
  run(({ counterparties }) => counterparties.change(id, { rails }));

describe('the bank number of a counterparty', () => {
  const bad: [RailsChange, string][] = [
    [{ ach: { ...BANK, routingNumber: '121042883', verified: true } }, 'ach.routingNumber'],
    [{ domesticWire: { ...BANK, routingNumber: '12104288' } }, 'domesticWire.routingNumber'],
    [{ rtp: { ...BANK, routingNumber: '' } }, 'rtp.routingNumber'],
    [{ fednow: { ...BANK, routingNumber: '000000000' } }, 'fednow.routingNumber'],
    [
      {
        internationalWire: {
          ...ABROAD,
          beneficiaryBank: { identifierCode: '121042882', name: '', address: null },
        },
      },
      'internationalWire.identifierCode',
    ],
    [
      {
        internationalWire: {
          ...ABROAD,
          correspondentBank: { identifierCode: 'COBA', name: '', address: null },
        },
      },
      'internationalWire.correspondentIdentifierCode',
    ],
  ];

  test.each(bad)('is refused if it is invalid: %o', async (rails, field) => {
    const sandbox = openTestSandbox();
    const made = await create(sandbox);
    const before = digestOf(sandbox.sandbox);
    for (const refused of [create(sandbox, rails), change(sandbox, made.id, rails)]) {
      await expect(refused).rejects.toMatchObject({ code: 'field_invalid', field });
    }
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('abroad is stored in capitals and determines the bank name, unless one is sent', async () => {
    const sandbox = openTestSandbox();
    const bank = { identifierCode: 'cobadeffxxx', name: '', address: null };
    const { rails } = await create(sandbox, {
      internationalWire: { ...ABROAD, beneficiaryBank: bank, correspondentBank: { ...bank, name: 'Mine' } },
    });
    expect(rails.internationalWire).toMatchObject({
      beneficiaryBank: { identifierCode: 'COBADEFFXXX', name: 'Commerzbank' },
      correspondentBank: { identifierCode: 'COBADEFFXXX', name: 'Mine' },
    });
  });

  test('abroad with a declared type is accepted unchanged', async () => {
    const beneficiaryBank = { identifierCode: '20-00-00', name: '', address: null };
    const { rails } = await create(openTestSandbox(), {
      internationalWire: { ...ABROAD, identifierType: 'sortCode', beneficiaryBank },
    });
    expect(rails.internationalWire?.beneficiaryBank).toEqual(beneficiaryBank);
  });

  test.each([
    ['aba', '021000021', 'JPMorgan Chase'],
    ['aba', '123456780', ''],
    ['swift', 'SCBLUS33XXX', 'Standard Chartered'],
  ] as const)('%s %s is looked up', (type, number, name) => {
    expect(openTestSandbox().bank.counterparties.bankOf(type, number).name).toBe(name);
  });

  test.each([
    ['aba', '021000022'],
    ['aba', 'SCBLUS33'],
    ['swift', '021000021'],
  ] as const)('%s %s is refused in the look-up', (type, number) => {
    const { bank } = openTestSandbox();
    expect(() => bank.counterparties.bankOf(type, number)).toThrow(
      expect.objectContaining({ code: 'field_invalid', field: 'routingNumber' }),
    );
  });
});

describe('details that a change cannot express', () => {
  test('are kept when the other details are replaced', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    const { rails, ...rest } = everyRail(id('account'), id('other_account'));
    const made = await sandbox.run(({ counterparties }) => counterparties.create({ ...rest, rails }));
    const changed = await change(sandbox, made.id, {
      domesticWire: { ...BANK, accountNumber: '77' },
      internationalWire: {
        accountNumber: '88',
        beneficiaryBank: { identifierCode: 'BNPAFRPP', name: '', address: null },
        correspondentBank: null,
      },
    });
    expect(changed.rails).toEqual({
      ...made.rails,
      domesticWire: { ...BANK, accountNumber: '77', bankName: 'Wells Fargo', address: ADDRESS },
      internationalWire: {
        accountNumber: '88',
        accountType: 'iban',
        identifierType: 'swift',
        beneficiaryAddress: ADDRESS,
        beneficiaryBank: { identifierCode: 'BNPAFRPP', name: 'BNP Paribas', address: null },
        correspondentBank: null,
      },
    });
  });

  test('are removed with the rail', async () => {
    const sandbox = openTestSandbox();
    const made = await create(sandbox, {
      domesticWire: { ...BANK, address: ADDRESS },
      internationalWire: ABROAD,
    });
    await change(sandbox, made.id, { domesticWire: null, internationalWire: null });
    const { rails } = await change(sandbox, made.id, { domesticWire: BANK });
    expect(rails).toMatchObject({ domesticWire: { address: null }, internationalWire: null });
  });
});

describe('a debit card', () => {
  test('is stored as a token with its last four digits', async () => {
    const sandbox = openTestSandbox();
    const { rails } = await create(sandbox, { debitCard: CARD });
    expect(rails.debitCard).toEqual({
      cardNumber: expect.stringMatching(/^tok_test_[0-9a-f]{32}$/),
      last4: '5556',
      expiryMonth: '04',
      expiryYear: '2030',
      address: ADDRESS,
      pullEnabled: true,
      pushEnabled: true,
    });
    expect(sandbox.sandbox.image().includes('4000056655665556')).toBe(false);
    expect(sandbox.sandbox.image().includes('4000 0566 5566 5556')).toBe(false);
  });

  test('may be sent as a token, which reveals no digits', async () => {
    const sandbox = openTestSandbox();
    const named = { ...CARD, cardNumber: 'tok_live_1', last4: '0044', expiryYear: '31' };
    const made = await create(sandbox, { debitCard: named });
    expect(made.rails.debitCard).toMatchObject({
      cardNumber: 'tok_live_1',
      last4: '0044',
      expiryYear: '2031',
    });
    const again = await change(sandbox, made.id, { debitCard: { ...CARD, cardNumber: 'tok_live_1' } });
    expect(again.rails.debitCard?.last4).toBe('0044');
    const other = await change(sandbox, made.id, { debitCard: { ...CARD, cardNumber: 'tok_live_2' } });
    expect(other.rails.debitCard).toMatchObject({ cardNumber: 'tok_live_2', last4: '' });
  });

  test.each(['4', '12345678901', '12345678901234567890'])(
    'with the number %s is refused',
    async (cardNumber) => {
      const sandbox = openTestSandbox();
      await expect(create(sandbox, { debitCard: { ...CARD, cardNumber } })).rejects.toMatchObject({
        code: 'field_invalid',
        field: 'debitCard.cardNumber',
      });
    },
  );

  test('is set by a token, once, for the counterparty of the token', async () => {
    const sandbox = openTestSandbox();
    const { run, id, newFacts } = sandbox;
    const [own, other] = [id('ach_counterparty'), id('intra_counterparty')];
    const issue = () => run(({ counterparties }) => counterparties.issueDebitCardToken(own));
    const set = (to: string, token: string, card = CARD) =>
      run(({ counterparties }) => counterparties.setDebitCard(to, token, card));
    const invalid = { code: 'token_invalid' };

    const { token } = await issue();
    await expect(set(other, token)).rejects.toMatchObject(invalid);
    await expect(set(own, token, { ...CARD, cardNumber: '4' })).rejects.toMatchObject({
      code: 'field_invalid',
    });
    newFacts();
    expect((await set(own, token)).rails.debitCard?.last4).toBe('5556');
    const facts = newFacts();
    expect(kindsV1(facts)).toEqual(['contact.updated']);
    expect(kindsV2(facts)).toEqual(['counterparty.updated']);
    for (const text of [token, '', 'debit_card_test_1']) {
      await expect(set(own, text)).rejects.toMatchObject(invalid);
    }

    const late = await issue();
    sandbox.clock.advance(TOKEN_MS);
    await expect(set(own, late.token)).rejects.toMatchObject(invalid);
  });

  test('cannot be set for a deleted counterparty', async () => {
    const sandbox = openTestSandbox();
    const { run } = sandbox;
    const { id } = await create(sandbox);
    const { token } = await run(({ counterparties }) => counterparties.issueDebitCardToken(id));
    await run(({ counterparties }) => counterparties.remove(id));
    const refusal = { code: 'counterparty_not_found' };
    await expect(
      run(({ counterparties }) => counterparties.setDebitCard(id, token, CARD)),
    ).rejects.toMatchObject(refusal);
    await expect(run(({ counterparties }) => counterparties.issueDebitCardToken(id))).rejects.toMatchObject(
      refusal,
    );
  });
});
