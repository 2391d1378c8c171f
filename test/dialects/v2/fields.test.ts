/**
 * Every answer of v2 has exactly the fields of the platform's field tables, at every depth: none is missing when it is
 * unset, none is there that the tables do not name. The tables are written out here and not taken from the shapes.
 */
import { describe, expect, it } from 'vitest';
import { viewAccount } from '../../../src/dialects/v2/views/account.ts';
import { viewCard } from '../../../src/dialects/v2/views/card.ts';
import { viewCardHolder } from '../../../src/dialects/v2/views/card-holder.ts';
import { viewCounterparty } from '../../../src/dialects/v2/views/counterparty.ts';
import { viewHolder } from '../../../src/dialects/v2/views/holder.ts';
import { viewTransaction } from '../../../src/dialects/v2/views/transaction.ts';
import { viewWebhook } from '../../../src/dialects/v2/views/webhook.ts';
import * as records from './records.ts';

type Table = { readonly [field: string]: Table | 'value' };

const fields = (names: string): Table => Object.fromEntries(names.split(' ').map((name) => [name, 'value']));

const OWNER = fields('id client_id master_account_holder_id master_account_id');
const ADDRESS = fields('line1 line2 city state country postal_code');
const OFAC = fields('status last_updated_at');
const REASONS = fields('status reasons');
const REASON = fields('status reason');
const KYC: Table = {
  ...fields('id status method url'),
  details: {
    name: REASONS,
    address: REASONS,
    dob: REASONS,
    ssn: REASONS,
    phone: REASONS,
    email: REASONS,
    watchlist: REASONS,
    fraud: REASONS,
  },
};
const IDV = fields('id status method url reasons');
const PERSON: Table = {
  ...fields('first_name middle_name last_name id_type id_number date_of_birth phone email'),
  address: ADDRESS,
};
const MEMBER: Table = {
  ...PERSON,
  ...fields('id ownership designation title control_person'),
  kyc: KYC,
  idv: IDV,
};
const BUSINESS: Table = {
  ...fields('legal_name dba entity_type id_type id_number phone email formation_date'),
  address: ADDRESS,
};
const CHECKED_BUSINESS: Table = {
  ...BUSINESS,
  kyb: {
    ...fields('id status method url'),
    details: { name: REASON, address: REASON, watchlist: REASON, fraud: REASON },
  },
  members: MEMBER,
};
const HOLDER: Table = {
  ...OWNER,
  ...fields('type person business external_reference_id purpose attachments metadata status'),
  ofac: OFAC,
  timestamps: fields('created_at updated_at deactivated_at'),
};
const ACCOUNT: Table = {
  ...OWNER,
  ...fields('sub_account_holder_id sub_account_holder_name label type account_number routing_number'),
  ...fields('sponsor_bank available_balance pending_credits pending_debits currency'),
  ...fields('external_reference_id purpose attachments metadata status'),
  timestamps: fields('created_at updated_at closed_at'),
};
const CARD_HOLDER: Table = {
  ...OWNER,
  ...fields('sub_account_holder_id sub_account_id external_reference_id purpose attachments metadata status'),
  person: { ...PERSON, ...fields('kyc idv') },
  ofac: OFAC,
  timestamps: fields('created_at updated_at deactivated_at'),
};
const LIST = fields('merchants categories countries');
const CARD: Table = {
  ...OWNER,
  ...fields('sub_account_holder_id sub_account_id cardholder_id card_holder_id label product theme type'),
  ...fields('expiry_month expiry_year last4 external_reference_id attachments metadata status'),
  card_fulfilment: {
    embossing: fields('card_holder_name business_name'),
    shipping_address: ADDRESS,
    tracking: fields('status eta number url provider'),
  },
  controls: {
    allowed: LIST,
    blocked: LIST,
    limit: fields('period max_spend_amount max_spend_per_transaction max_spend_count'),
    atm_enabled: 'value',
  },
  timestamps: fields('created_at updated_at closed_at'),
};
const BANK = fields('account_number routing_number account_type bank_name');
const CHECKED_BANK: Table = { ...BANK, verification_status: 'value' };
const FOREIGN_BANK: Table = { ...fields('identifier_code name'), address: ADDRESS };
const COUNTERPARTY: Table = {
  ...OWNER,
  ...fields('sub_account_holder_id sub_account_id label type person'),
  ...fields('purpose external_reference_id attachments metadata status'),
  business: { ...BUSINESS, ...fields('kyb members') },
  intra_account: fields('sub_account_number sub_account_id'),
  ach: CHECKED_BANK,
  domestic_wire: BANK,
  international_wire: {
    account_number: 'value',
    beneficiary_bank: FOREIGN_BANK,
    correspondent_bank: FOREIGN_BANK,
  },
  rtp: CHECKED_BANK,
  fednow: CHECKED_BANK,
  check: { address: ADDRESS },
  debit_card: {
    ...fields('card_number last4 expiry_month expiry_year cvv pull_enabled push_enabled'),
    address: ADDRESS,
  },
  ofac: OFAC,
  timestamps: fields('created_at updated_at deactivated_at'),
};
const TRANSACTION: Table = {
  ...OWNER,
  ...fields('sub_account_holder_id sub_account_id status amount currency direction method type message'),
  ...fields('description available_balance pending_credits pending_debits counterparty ach domestic_wire'),
  ...fields('international_wire rtp fednow check card parent_transaction_id external_reference_id purpose'),
  ...fields('attachments metadata'),
  ofac: OFAC,
  reconciliation: {
    status: 'value',
    master_account: 'value',
    sub_account: fields('id transaction_id amount'),
  },
  timestamps: fields('created_at updated_at settled_at'),
};
const OTHER_SIDE: Table = {
  ...fields('id name verification_status account_number routing_number account_type bank_name'),
  ...fields('beneficiary_bank correspondent_bank shipping_address'),
};
const WEBHOOK: Table = {
  ...fields('id client_id description url events status'),
  timestamps: fields('created_at updated_at deleted_at'),
};

/** The fields of an answer as a table, as deep as `table` looks; a list stands for its items. */
function fieldsOf(answer: unknown, table: Table | 'value'): Table | 'value' {
  if (table === 'value') return 'value';
  const shown: unknown = Array.isArray(answer) ? answer[0] : answer;
  if (typeof shown !== 'object' || shown === null) return 'value';
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, fieldsOf(value, table[name] ?? 'value')]),
  );
}

const { program } = records;
const transaction = (record: typeof records.achPull) => viewTransaction(record, program);

const ANSWERS: [string, unknown, Table][] = [
  [
    'a person holder',
    viewHolder(records.personFile, program),
    { ...HOLDER, person: { ...PERSON, kyc: KYC, idv: IDV } },
  ],
  ['a business holder', viewHolder(records.businessFile, program), { ...HOLDER, business: CHECKED_BUSINESS }],
  ['a sub account', viewAccount(records.accountFile, program), ACCOUNT],
  ['a card holder', viewCardHolder(records.cardHolder, program), CARD_HOLDER],
  ['a card', viewCard(records.cardFile, program), CARD],
  ['a counterparty', viewCounterparty(records.counterparty, program), COUNTERPARTY],
  [
    'an ACH transaction',
    transaction(records.achPull),
    {
      ...TRANSACTION,
      counterparty: OTHER_SIDE,
      ach: {
        ...fields('same_day effective_date company_discretionary_data company_entry_description'),
        ...fields('trace_number return_code rta_id'),
      },
    },
  ],
  [
    'a reconciled transaction',
    transaction({ ...records.achPull, masterId: records.ids.masterEntry }),
    {
      ...TRANSACTION,
      reconciliation: {
        status: 'value',
        master_account: fields('id transaction_id amount'),
        sub_account: fields('id transaction_id amount'),
      },
    },
  ],
  [
    'an intra-account transaction',
    transaction(records.intraPull),
    { ...TRANSACTION, counterparty: OTHER_SIDE },
  ],
  [
    'an international wire',
    transaction(records.wirePush),
    {
      ...TRANSACTION,
      counterparty: { ...OTHER_SIDE, beneficiary_bank: FOREIGN_BANK, correspondent_bank: FOREIGN_BANK },
      international_wire: fields('imad omad'),
    },
  ],
  ['an RTP transaction', transaction(records.rtpPush), { ...TRANSACTION, rtp: fields('reference_number') }],
  [
    'a check',
    transaction(records.checkSend),
    {
      ...TRANSACTION,
      counterparty: { ...OTHER_SIDE, shipping_address: ADDRESS },
      check: { ...fields('check_number cashed'), tracking: fields('status eta') },
    },
  ],
  [
    'a card transaction',
    transaction(records.cardAuthorization),
    {
      ...TRANSACTION,
      card: {
        ...fields('id cardholder_id card_holder_id merchant auth_method wallet rta_id network_settlement_at'),
        local_transaction: fields('amount currency conversion_rate'),
        available_limit: fields('period max_spend_amount max_spend_count'),
      },
    },
  ],
  ['a webhook', viewWebhook(records.webhook, program, { withSecret: false }), WEBHOOK],
  [
    'a webhook just made',
    viewWebhook(records.webhook, program, { withSecret: true }),
    { ...WEBHOOK, secret: 'value' },
  ],
];

describe('an answer of v2', () => {
  it.each(ANSWERS)('that is %s has the fields of its table and no others', (_name, answer, table) => {
    expect(fieldsOf(answer, table)).toEqual(table);
  });
});
