/**
 * Parsing of v2 bodies into the bank's values, and the refusals that a schema cannot express.
 */
import { describe, expect, it } from 'vitest';
import { parseCardChange } from '../../../src/api/v2/cards/parse.ts';
import { parseHolderChange, parseNewHolder } from '../../../src/api/v2/holders.ts';
import { parseAchOrigination, parseOrigination } from '../../../src/api/v2/payments.ts';
import { parseNewWebhook } from '../../../src/api/v2/webhooks.ts';

const DIGITS = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const UUID = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

const refusal = (code: string, field?: string) =>
  expect.objectContaining(field === undefined ? { code } : { code, field });

describe('an origination', () => {
  const payment = { sub_account_id: `sub_${DIGITS}`, counterparty_id: `con-${UUID}`, amount: '12.50' };

  it('is read into cents and ids without prefix, and recorded when there is too little money', () => {
    expect(parseOrigination(payment)).toEqual({
      accountId: DIGITS,
      counterpartyId: DIGITS,
      amount: 1250,
      shortage: 'record',
    });
  });

  it('keeps every detail of an ACH', () => {
    expect(
      parseAchOrigination({
        ...payment,
        description: 'Dues',
        external_reference_id: 'dues-2',
        same_day: 'true',
        effective_date: '2026-11-23',
        company_discretionary_data: 'ACME',
        company_entry_description: 'DUES',
      }),
    ).toEqual({
      accountId: DIGITS,
      counterpartyId: DIGITS,
      amount: 1250,
      description: 'Dues',
      externalReferenceId: 'dues-2',
      sameDay: true,
      effectiveDate: '2026-11-23',
      companyDiscretionaryData: 'ACME',
      companyEntryDescription: 'DUES',
      shortage: 'record',
    });
  });

  it('of nothing is refused', () => {
    expect(() => parseAchOrigination({ ...payment, amount: '0.00' })).toThrow(
      refusal('amount_invalid', 'amount'),
    );
  });

  it.each(['2026-02-30', '2026-13-01', '20261123', 'tomorrow'])(
    'on %s, which is no date, is refused',
    (date) => {
      expect(() => parseAchOrigination({ ...payment, effective_date: date })).toThrow(
        refusal('field_invalid', 'effective_date'),
      );
    },
  );

  it('with an empty date has none', () => {
    expect(parseAchOrigination({ ...payment, effective_date: '' })).not.toHaveProperty('effectiveDate');
  });

  it('from or to something that is no id is refused as not found', () => {
    expect(() => parseAchOrigination({ ...payment, sub_account_id: `ctp_${DIGITS}` })).toThrow(
      refusal('account_not_found'),
    );
    expect(() => parseAchOrigination({ ...payment, counterparty_id: 'acme' })).toThrow(
      refusal('counterparty_not_found'),
    );
  });
});

describe('a new holder', () => {
  const holder = { master_account_id: `mas_${DIGITS}`, type: 'person' as const };

  it('that is a person is read with empty texts for what was not sent', () => {
    expect(
      parseNewHolder({
        ...holder,
        person: {
          first_name: 'Ada',
          last_name: 'Birch',
          phone: '+15035550111',
          address: { city: 'Portland' },
        },
        verification: { status: 'pass', method: 'persona' },
        metadata: { tier: 'pro' },
      }),
    ).toEqual({
      masterAccountId: DIGITS,
      person: {
        firstName: 'Ada',
        middleName: '',
        lastName: 'Birch',
        idType: '',
        idNumber: '',
        dateOfBirth: '',
        phone: '+15035550111',
        email: '',
        address: { line1: '', line2: '', city: 'Portland', state: '', country: '', postalCode: '' },
      },
      verification: { status: 'pass', method: 'persona', url: '' },
      metadata: { tier: 'pro' },
    });
  });

  it('that is a business brings its members', () => {
    const input = parseNewHolder({
      ...holder,
      type: 'business',
      business: {
        legal_name: 'Birch Tools LLC',
        members: [
          { first_name: 'Ada', ownership: 60, control_person: true },
          { first_name: 'Bo', ownership: '39.95' },
        ],
      },
    });
    expect(input.business?.legalName).toBe('Birch Tools LLC');
    expect(input).not.toHaveProperty('person');
    expect(input.members).toMatchObject([
      { person: { firstName: 'Ada' }, ownership: 6000, controlPerson: true },
      { person: { firstName: 'Bo' }, ownership: 3995, controlPerson: false },
    ]);
  });

  it('takes only the object of its own type', () => {
    const input = parseNewHolder({ ...holder, person: {}, business: { legal_name: 'Birch' } });
    expect(input).not.toHaveProperty('business');
  });

  it.each(['person', 'business'] as const)('of type %s without that object is refused', (type) => {
    expect(() => parseNewHolder({ ...holder, type })).toThrow(refusal('field_invalid', type));
  });

  it.each(['5035550111', '+0135550111', '+1 503 555 0111', '+1503555011112345', 'none'])(
    'with the phone %s is refused',
    (phone) => {
      expect(() => parseNewHolder({ ...holder, person: { phone } })).toThrow(
        refusal('phone_invalid', 'person.phone'),
      );
    },
  );

  it('born on no date is refused', () => {
    expect(() => parseNewHolder({ ...holder, person: { date_of_birth: '1980-02-31' } })).toThrow(
      refusal('field_invalid', 'person.date_of_birth'),
    );
  });

  it.each([100.5, -1, 12.345, '60%', 'half', ''])('with a member who owns %j is refused', (ownership) => {
    expect(() =>
      parseNewHolder({ ...holder, type: 'business', business: { members: [{ ownership }] } }),
    ).toThrow(refusal('field_invalid', 'business.members.ownership'));
  });

  it('under something that is no master account is refused as not found', () => {
    expect(() => parseNewHolder({ ...holder, master_account_id: 'mine', person: {} })).toThrow(
      refusal('master_account_not_found'),
    );
  });
});

describe('a change of a card', () => {
  it('has only what was sent', () => {
    expect(parseCardChange({})).toEqual({});
    expect(parseCardChange({ label: '', controls: { blocked: { countries: [] } } })).toEqual({
      label: '',
      controls: { blocked: { countries: [] } },
    });
  });

  it('reads every control', () => {
    expect(
      parseCardChange({
        controls: {
          allowed: { merchants: ['Mom and Pop'], categories: ['5541'], countries: ['US'] },
          limit: {
            period: 'daily',
            max_spend_amount: '400.00',
            max_spend_per_transaction: '0.00',
            max_spend_count: '6',
          },
          atm_enabled: 'false',
        },
        status: 'blocked',
        metadata: { team: '' },
        external_reference_id: 'card-9',
      }),
    ).toEqual({
      controls: {
        allowed: { merchants: ['Mom and Pop'], categories: ['5541'], countries: ['US'] },
        limit: { period: 'daily', maxSpendAmount: 40_000, maxSpendPerTransaction: 0, maxSpendCount: 6 },
        atmEnabled: false,
      },
      status: 'blocked',
      metadata: { team: '' },
      externalReferenceId: 'card-9',
    });
  });

  it('takes a limit away that is sent empty', () => {
    expect(
      parseCardChange({
        controls: {
          limit: { period: '', max_spend_amount: '', max_spend_per_transaction: '', max_spend_count: '' },
        },
      }),
    ).toEqual({
      controls: {
        limit: { period: '', maxSpendAmount: null, maxSpendPerTransaction: null, maxSpendCount: null },
      },
    });
  });
});

describe('a new webhook', () => {
  it('is of this version', () => {
    expect(parseNewWebhook({ url: 'https://hooks.example', events: ['card.created'] })).toEqual({
      dialect: 'v2',
      url: 'https://hooks.example',
      events: ['card.created'],
    });
  });
});

describe('a requested status of a holder', () => {
  it.each([
    ['activated', 'activated'],
    ['suspended', 'suspended'],
    ['deactivated', 'deactivated'],
    ['open', 'activated'],
    ['blocked', 'suspended'],
    ['credit_blocked', 'suspended'],
    ['debit_blocked', 'suspended'],
    ['closed', 'deactivated'],
  ] as const)('as %s means %s', (word, status) => {
    expect(parseHolderChange({ status: word })).toEqual({ status });
  });
});
