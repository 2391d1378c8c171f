/** Accounts in every state and with every setting, and counterparties. */
import { ADDRESS, ADDRESS_V1, type World } from '../world.ts';
import { person } from './people.ts';

const SUB_ACCOUNT = '/v2/accounts/sub_account';
const LIMIT = { daily: '900.00', monthly: '9000.00' };

const each = <T>(names: readonly string[], part: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, part]));
const SEND = ['intrabank', 'ach', 'wire', 'check', 'card', 'debitCard', 'internationalWire'];
const RECEIVE = ['intrabank', 'ach', 'check', 'debitCard'];

const CONFIG = {
  card: { virtual: { enabled: true, count: '3' }, physical: { enabled: false, count: '1' } },
  send: { ...each(SEND, { enabled: true }), ach: { enabled: true, sameDay: false } },
  receive: { ...each(RECEIVE, { enabled: false }), ach: { enabled: true, sameDay: false } },
  limits: {
    send: { ...LIMIT, ...each(SEND, LIMIT) },
    receive: { ...LIMIT, ...each(RECEIVE, LIMIT) },
  },
  incoming: {
    achPull: { enabled: true, allowedOriginators: ['Mill'], blockedOriginators: ['011000015'] },
  },
};

export async function accounts(world: World): Promise<void> {
  const { v1, v2, seed, control } = world;
  const look = (id: string) => world.look(id, `${SUB_ACCOUNT}/*`, '/v1/account/*');
  for (const type of ['cash', 'prepaid', 'checking']) {
    const made = await v2('POST', SUB_ACCOUNT, {
      sub_account_holder_id: seed('person_holder_id'),
      label: 'Travel',
      type,
      external_reference_id: 'a-1',
      purpose: 'Trips',
      metadata: { region: 'west' },
    });
    const id = made.id();
    await v1('PATCH', `/v1/account/${id}`, { config: CONFIG });
    for (const status of ['credit_blocked', 'debit_blocked', 'blocked', 'open']) {
      await v2('PATCH', `${SUB_ACCOUNT}/${id}`, { status });
      await look(id);
    }
    for (const event of ['lock', 'unlock']) {
      await control('POST', `simulate/accounts/${id}/${event}`);
      await look(id);
    }
    await v1('PATCH', `/v1/account/${id}`, { status: 'closed' });
    await look(id);
  }
  await control('PUT', 'settings', { account_numbers: 'off' });
  const bare = { sub_account_holder_id: seed('person_holder_id'), type: 'cash' };
  await look((await v2('POST', SUB_ACCOUNT, bare)).id());
  await control('PUT', 'settings', { account_numbers: 'on' });
  const owner = { 'sd-person-id': seed('person_id') };
  const family = (await v1('POST', '/v1/family', { name: 'Quill' }, owner)).id();
  await v1('POST', '/v1/account', { familyId: family, acceptedTerms: true }, owner);
  const business = seed('business_holder_id');
  await v2('POST', `/v2/accounts/sub_account_holder/${business}/kyb`);
  const till = (await v1('POST', '/v1/account', { businessId: business, acceptedTerms: true }, owner)).id();
  const shared = (await v1('POST', '/v1/account', { familyId: family, label: 'Home' }, owner)).id();
  for (const id of [till, shared]) {
    const [present] = (await v1('GET', `/v1/account/${id}/statement`)).at('data') as Record<string, number>[];
    await v1('GET', `/v1/account/${id}/statement/${present?.year}/${present?.month}`);
  }
  await v1('PATCH', `/v1/account/${till}`, { status: 'closed' });
  await v1('GET', `/v1/account/${till}/transaction`);
  for (const type of ['clearingAccount', 'fundingAccount']) await v1('POST', '/v1/account', { type }, owner);
  await fallback(world);
  await v1('GET', '/v1/account?limit=100');
}

/** A fallback account provides money for a card and an ACH debit. */
async function fallback({ v1, v2, seed }: World): Promise<void> {
  const owner = { 'sd-person-id': seed('person_id') };
  const [poor, rich] = [
    await v1('POST', '/v1/account', { type: 'cardAccount' }, owner),
    await v1('POST', '/v1/account', { type: 'fallbackAccount' }, owner),
  ];
  const contact = await v1('POST', '/v1/contact', {
    accountId: poor.id(),
    name: 'Own',
    intrabank: { accountNumber: rich.at('accountNumber') },
  });
  const order = { accountId: poor.id(), contactId: contact.id(), amount: '990.00' };
  await v1('POST', '/v1/send/intrabank', order);
  const cover = { enabled: true, fallbackId: rich.id() };
  await v1('PATCH', `/v1/account/${poor.id()}`, { fallback: { received: { ach: cover, card: cover } } });
  await v1('POST', `/v1/account/${poor.id()}/test/ach`, { amount: '30.00', txnType: 'debit' });
  await v1('GET', `/v1/account/${poor.id()}/transaction`);
  await v2('GET', `${SUB_ACCOUNT}/${rich.id()}`);
}

const TYPES = ['business_checking', 'business_savings', 'personal_checking', 'personal_savings'];

const bankAccount = (account_type: string) => ({
  account_number: '5500112244',
  routing_number: '121042882',
  account_type,
  bank_name: 'Wells Fargo',
});

/** Every rail to another bank. */
export const railsOf = (type: string) => ({
  ach: { ...bankAccount(type), verification_status: 'review' },
  domestic_wire: bankAccount(type),
  international_wire: {
    account_number: 'DE89370400440532013000',
    beneficiary_bank: { identifier_code: 'COBADEFF', name: 'Commerzbank', address: ADDRESS },
    correspondent_bank: { identifier_code: 'SCBLUS33XXX', name: 'Standard Chartered', address: ADDRESS },
  },
  rtp: bankAccount(type),
  fednow: bankAccount(type),
  check: { address: ADDRESS },
  debit_card: {
    card_number: '4000056655665556',
    expiry_month: '04',
    expiry_year: '2030',
    cvv: '123',
    address: ADDRESS,
  },
});

export const COUNTERPARTY = '/v2/payments/counterparty';

export async function counterparties(world: World): Promise<void> {
  const { v2, seed } = world;
  const look = (id: string) => world.look(id, `${COUNTERPARTY}/*`, '/v1/contact/*');
  const base = { sub_account_id: seed('sub_account_id'), label: 'Printer', metadata: { vendor: '12' } };
  for (const type of TYPES) {
    const made = await v2('POST', COUNTERPARTY, {
      ...base,
      type: 'person',
      person: person(),
      intra_account: { sub_account_id: seed('other_sub_account_id') },
      ...railsOf(type),
      purpose: 'Print runs',
      external_reference_id: 'vendor-12',
    });
    await look(made.id());
  }
  for (const id_type of ['passport', 'other']) {
    const made = await v2('POST', COUNTERPARTY, {
      ...base,
      type: 'person',
      person: { ...person(), id_type },
    });
    for (const status of ['suspended', 'activated', 'deactivated']) {
      await v2('PATCH', `${COUNTERPARTY}/${made.id()}`, { status });
      await look(made.id());
    }
  }
  for (const number of ['type=aba&routing_number=121042882', 'type=swift&routing_number=COBADEFF']) {
    await v2('GET', `${COUNTERPARTY}/bank?${number}`);
    await world.v1('GET', `/v1/contact/bank?${number.replace('routing_number', 'routingNumber')}`);
  }
}

const ENTITY_TYPES = [
  'sole_proprietor',
  'single_member_llc',
  'limited_liability_company',
  'general_partnership',
  'unlisted_corporation',
  'publicly_traded_corporation',
  'association',
  'non_profit',
  'government_organization',
  'revocable_trust',
  'irrevocable_trust',
  'estate',
  'professional_association',
  'limited_partnership',
  'limited_liability_partnership',
  'professional_corporation',
];

export async function vendors({ v2, seed }: World): Promise<void> {
  for (const entity_type of ENTITY_TYPES) {
    await v2('POST', COUNTERPARTY, {
      sub_account_id: seed('sub_account_id'),
      type: 'business',
      business: {
        legal_name: 'Quill Press LLC',
        dba: 'Quill',
        entity_type,
        id_type: entity_type === 'estate' ? 'other' : 'ein',
        id_number: '871230088',
        phone: '+15035550124',
        email: 'desk@quill.example',
        formation_date: '2015-02-28',
        address: ADDRESS,
      },
    });
  }
}

/** Every rail of a contact of v1 with a bank account of this type. */
export const contactRails = (accountType: string) => {
  const account = {
    accountNumber: '000123456789',
    routingNumber: '122235821',
    accountType,
    bankName: 'Bank',
  };
  return {
    ach: account,
    wire: {
      domestic: { ...account, address: ADDRESS_V1 },
      international: {
        accountNumber: 'DE89370400440532013000',
        accountType: 'business',
        bankIdentifierCode: 'COBADEFF',
        bankIdentifierType: 'swift',
        beneficiaryBank: 'Commerzbank',
        beneficiaryBankAddress: ADDRESS_V1,
        beneficiaryAddress: ADDRESS_V1,
        correspondentBank: 'Standard Chartered',
        correspondentBankAddress: ADDRESS_V1,
        correspondentBankIdentifierCode: 'SCBLUS33XXX',
      },
    },
    check: { address: ADDRESS_V1 },
    card: { address: ADDRESS_V1 },
  };
};

/** Sets the debit card of a contact, which is a separate call. */
export async function giveDebitCard({ v1 }: World, contact: string): Promise<void> {
  const token = (await v1('POST', `/v1/contact/${contact}/debitcard/token`)).id('debitCardToken');
  const card = { cardNumber: '4000056655665556', expiryMonth: '04', expiryYear: '2030', cvv: '123' };
  const debitCard = { ...card, address: ADDRESS_V1 };
  await v1('PATCH', `/v1/contact/${contact}/debitcard`, { debitCard }, { 'sd-debitcard-token': token });
}

export async function contacts(world: World): Promise<void> {
  const { v1, v2, seed } = world;
  const contact = { accountId: seed('account_id'), name: 'Harbor Supply', phone: '+15035550120' };
  for (const word of ['businessChecking', 'personalChecking', 'businessSavings', 'personalSavings']) {
    const made = await v1('POST', '/v1/contact', {
      ...contact,
      email: 'ap@harbor.example',
      label: 'Harbor',
      metadata: { externalId: '3' },
      intrabank: { accountId: seed('other_sub_account_id') },
      ...contactRails(word),
    });
    await giveDebitCard(world, made.id());
    await world.look(made.id(), `${COUNTERPARTY}/*`, '/v1/contact/*');
  }
  const own = (
    await v2('POST', SUB_ACCOUNT, { sub_account_holder_id: seed('person_holder_id'), type: 'checking' })
  ).id();
  const self = { ...contact, type: 'selfIntrabank', intrabank: { accountId: own } };
  await world.look((await v1('POST', '/v1/contact', self)).id(), '/v1/contact/*');
  const account = contactRails('personalChecking').ach;
  const made = await v1('POST', '/v1/contact', { ...contact, type: 'selfAch', ach: account });
  await v1('DELETE', `/v1/contact/${made.id()}`);
  await world.look(made.id(), `${COUNTERPARTY}/*`, '/v1/contact/*');
}
