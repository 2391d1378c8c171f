/** Card holders and cards in every state, and every authorization, approved or declined. */
import { setPin } from '../../server/http/pin.ts';
import { ADDRESS, ADDRESS_V1, type World } from '../world.ts';
import { person } from './people.ts';

const CARD = '/v2/issuing/card';
const CARD_HOLDER = '/v2/issuing/card_holder';
const PRODUCTS = [
  'business_spend',
  'consumer_debit',
  'business_debit',
  'consumer_gpr',
  'consumer_gpnr',
  'consumer_payroll',
  'consumer_hsa',
  'consumer_fsa',
  'consumer_govt_benefits',
];
const PERIODS = ['daily', 'weekly', 'monthly', 'yearly', 'all_time', 'per_transaction'];

const limit = (period: string) => ({
  period,
  max_spend_amount: '400.00',
  max_spend_per_transaction: '300.00',
  max_spend_count: '9',
});

export async function cardHolders(world: World): Promise<void> {
  const { v2, seed } = world;
  for (const idType of ['ssn', 'passport', 'other']) {
    const made = await v2('POST', CARD_HOLDER, {
      sub_account_id: seed('sub_account_id'),
      person: person(5, idType),
      external_reference_id: 'emp-42',
      purpose: 'Field purchases',
      metadata: { team: 'field' },
    });
    await v2('PATCH', `${CARD_HOLDER}/${made.id()}`, { purpose: 'Travel' });
    for (const status of ['suspended', 'activated', 'deactivated']) {
      await v2('PATCH', `${CARD_HOLDER}/${made.id()}`, { status });
      await world.look(made.id(), `${CARD_HOLDER}/*`);
    }
  }
}

export async function cards(world: World): Promise<void> {
  const { v1, v2, seed, control } = world;
  const look = (id: string) => world.look(id, `${CARD}/*`, '/v1/card/*');
  for (const [at, product] of PRODUCTS.entries()) {
    const made = await v2('POST', CARD, {
      card_holder_id: seed('card_holder_id'),
      type: 'physical',
      product,
      theme: 'midnight',
      label: 'Fuel',
      card_fulfilment: {
        embossing: { card_holder_name: 'MARA QUILL', business_name: 'QUILL PRESS' },
        shipping_address: ADDRESS,
      },
      controls: {
        allowed: { merchants: ['Quay Grill'], categories: ['5541'], countries: ['US'] },
        limit: limit(PERIODS[at] ?? 'daily'),
        atm_enabled: 'false',
      },
      external_reference_id: 'card-9',
      metadata: { team: 'field' },
    });
    await look(made.id());
    if (at === 0) await v1('POST', `/v1/card/${made.id()}/replace`, { reason: 'lost' });
  }
  const id = seed('physical_card_id');
  const blocked = { merchants: ['Harbor Casino'], categories: ['7995'], countries: ['FR'] };
  await v2('PATCH', `${CARD}/${id}`, { controls: { blocked } });
  for (const event of ['ship', 'deliver']) {
    await control('POST', `simulate/cards/${id}/${event}`);
    await look(id);
  }
  const { body } = await v2('GET', `${CARD}/${id}`);
  const { expiry_month, expiry_year, last4 } = body as Record<string, string>;
  await v2('PATCH', `${CARD}/${id}/activate`, { expiry_month, expiry_year, last4 });
  for (const status of ['blocked', 'open', 'closed']) {
    await v2('PATCH', `${CARD}/${id}`, { status });
    await look(id);
  }
  const virtual = seed('virtual_card_id');
  for (const [wallet, v1Wallet] of [
    ['apple_pay', 'applePay'],
    ['google_pay', 'googlePay'],
    ['samsung_pay', 'samsungPay'],
  ] as const) {
    await v2('POST', `${CARD}/${virtual}/provision`, { wallet, [wallet]: { device_id: 'd' } });
    await v1('POST', `/v1/card/${virtual}/provision`, { wallet: v1Wallet, [v1Wallet]: { deviceId: 'd' } });
  }
}

export async function cardsOfV1(world: World): Promise<void> {
  const { v1, v2, seed } = world;
  const owner = { 'sd-person-id': seed('person_id') };
  const intervals = ['daily', 'weekly', 'monthly', 'yearly', 'allTime', 'perTransaction'];
  for (const limitInterval of intervals) {
    const made = await v1(
      'POST',
      '/v1/card',
      {
        accountId: seed('account_id'),
        cardType: 'physical',
        label: 'Travel',
        bin: limitInterval === 'daily' ? 'credit' : 'debit',
        limitAmount: '400.00',
        limitInterval,
        billingAddress: ADDRESS_V1,
        blockedCategories: ['7995'],
        allowedMerchants: ['Quay Grill'],
        theme: 'midnight',
        embossingPerson: 'ADA LOVEGOOD',
        embossingBusiness: 'HARBOR TRAVEL',
        shipping: { shippingAddress: ADDRESS_V1 },
        metadata: { externalId: '31' },
      },
      owner,
    );
    await world.look(made.id(), `${CARD}/*`, '/v1/card/*');
    await v1('DELETE', `/v1/card/${made.id()}`);
    await world.look(made.id(), '/v1/card/*');
  }
  const family = (await v1('POST', '/v1/family', { name: 'Quill' }, owner)).id();
  const shared = (await v1('POST', '/v1/account', { familyId: family }, owner)).id();
  const business = seed('business_holder_id');
  await v2('POST', `/v2/accounts/sub_account_holder/${business}/kyb`);
  const till = (await v1('POST', '/v1/account', { businessId: business }, owner)).id();
  for (const accountId of [shared, till]) {
    const card = (await v1('POST', '/v1/card', { accountId, cardType: 'virtual' }, owner)).id();
    await v1('POST', `/v1/card/${card}/test`, { amount: '5.00' });
    await v1('GET', `/v1/account/${accountId}/transaction`);
  }
}

const AUTH_METHODS = ['keyed_in', 'swipe', 'chip', 'online', 'contactless', 'other'];

export async function purchases(world: World): Promise<void> {
  const { v2, seed, control } = world;
  const card = seed('virtual_card_id');
  const merchant = {
    name: 'Quay Grill',
    mcc: '5812',
    category: 'Restaurants',
    city: 'Astoria',
    state: 'OR',
    country: 'US',
    postal_code: '97103',
    id: 'QG-1',
  };
  const authorize = async (amount: string, more: object = {}) =>
    (await control('POST', `simulate/cards/${card}/authorize`, { amount, merchant, ...more })).id(
      'transaction.id',
    );
  const look = (id: string) =>
    world.look(id, '/v2/payments/transaction/*', `/v1/account/${seed('account_id')}/transaction/*`);
  for (const period of PERIODS) {
    await v2('PATCH', `${CARD}/${card}`, { controls: { limit: limit(period) } });
    await look(await authorize('4.00'));
  }
  const none = { max_spend_amount: '', max_spend_per_transaction: '', max_spend_count: '' };
  await v2('PATCH', `${CARD}/${card}`, { controls: { limit: { period: '', ...none } } });
  for (const auth_method of AUTH_METHODS) await look(await authorize('4.00', { auth_method }));
  for (const wallet of ['apple_pay', 'google_pay', 'samsung_pay'])
    await look(await authorize('4.00', { wallet }));
  await setPin(world.caller, card);
  await look(await authorize('20.00', { atm: true }));
  await authorize('90000.00', { wallet: 'google_pay' });

  const simulate = async (type: string, status: string, amount: string, parent?: string) =>
    (
      await v2('POST', '/v2/simulate/incoming/card_issuing', {
        card_id: card,
        type,
        status,
        amount,
        ...(parent !== undefined && { parent_transaction_id: parent }),
      })
    ).id();
  const captured = await simulate('auth', 'pending', '93.50');
  await simulate('adjust', 'settled', '120.00', captured);
  await look(captured);
  const refund = await simulate('refund', 'pending', '20.00', captured);
  await look(refund);
  await simulate('refund', 'settled', '20.00', refund);
  await simulate('refund', 'settled', '100.00', captured);
  await look(captured);
  const less = await simulate('auth', 'pending', '50.00');
  await look(await simulate('adjust', 'settled', '45.00', less));
  await look(await simulate('auth', 'settled', '5.00'));
  const reversed = await simulate('auth', 'pending', '6.00');
  await look(await simulate('reverse', 'settled', '6.00', reversed));
  await look(reversed);
  for (const end of ['win_dispute', 'lose_dispute']) {
    const disputed = await simulate('auth', 'settled', '5.00');
    for (const event of ['dispute', end]) {
      await control('POST', `simulate/authorizations/${disputed}/${event}`);
      await look(disputed);
    }
  }

  // No server listens there, so the default decision applies.
  const stand = { url: 'http://127.0.0.1:9/', timeout_ms: 50, stand_in: 'approve' };
  await control('PUT', 'rta', stand);
  await look(await authorize('3.00'));
  const debit = { sub_account_id: seed('sub_account_id'), amount: '2.00', sender: { name: 'Mill' } };
  await look((await control('POST', 'simulate/incoming/ach_pull', debit)).id('transaction.id'));
  await control('PUT', 'rta', { ...stand, stand_in: 'decline' });
  await authorize('3.00', { wallet: 'apple_pay' });
  await authorize('3.00', { wallet: 'samsung_pay' });
  await world.v1('POST', `/v1/card/${card}/test`, { amount: '3.00' });
  await world.v1('GET', `/v1/card/${card}/declined?limit=100`);
  await control('DELETE', 'rta');
  await v2('GET', '/v2/payments/transaction?limit=100');
}

export async function declines(world: World): Promise<void> {
  const { v1, v2, seed } = world;
  const card = seed('card_id');
  const path = `${CARD}/${card}`;
  const test = (more: object = {}) => v1('POST', `/v1/card/${card}/test`, { amount: '5.00', ...more });
  await v2('PUT', '/_sandbox/settings', { card_controls_in_test: true });
  for (const authMethod of ['keyedIn', 'swipe', 'chip', 'online', 'contactless', 'other']) {
    await test({ authMethod, amount: '90000.00' });
  }
  await test({ merchant: { merchantCategoryCode: '6011' } });
  const abroad = { merchantName: 'Casino', merchantCountry: 'FR', merchantCategoryCode: '7995' };
  const controls = [
    { blocked: { countries: ['FR'] } },
    { blocked: { categories: ['7995'], countries: [] } },
    { blocked: { merchants: ['Casino'], categories: [], countries: [] } },
    { blocked: { merchants: [] }, limit: { period: 'daily', max_spend_per_transaction: '4.00' } },
    { limit: { max_spend_amount: '4.50', max_spend_per_transaction: '' } },
    { limit: { max_spend_amount: '', max_spend_count: '0' } },
  ];
  for (const change of controls) {
    await v2('PATCH', path, { controls: change });
    await test({ merchant: abroad });
  }
  await v2('PATCH', `/v2/accounts/sub_account/${seed('sub_account_id')}`, { status: 'debit_blocked' });
  await test();
  await v2('PATCH', path, { status: 'blocked' });
  await test();
  await v2('PATCH', path, { status: 'closed' });
  await test();
  await v1('GET', `/v1/card/${card}/declined?limit=100`);
}
