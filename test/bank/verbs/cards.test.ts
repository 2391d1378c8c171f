// Cards and their holders: the creation of a card, its changes by status, the merge of its controls, and its events.

import { describe, expect, test } from 'vitest';
import type { Card, CardHolder, ControlList } from '../../../src/bank/model/records.ts';
import type { CardChange, ControlsChange, NewCard } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { ADDRESS, kindsV1, kindsV2, person } from './parties.ts';

const issue = ({ run, id }: TestSandbox, changes: Partial<NewCard> = {}) =>
  run(({ cards }) => cards.issue({ cardHolderId: id('card_holder'), type: 'virtual', ...changes }));

const change = ({ run }: TestSandbox, cardId: string, changes: CardChange) =>
  run(({ cards }) => cards.change(cardId, changes));

/** The digits, every second one doubled, add up to a multiple of ten. */
const passesLuhn = (number: string) =>
  [...number].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

describe('a new card', () => {
  test('that is virtual is open immediately', async () => {
    const sandbox = openTestSandbox();
    const { id, newFacts, bank } = sandbox;
    const file = await issue(sandbox, { label: 'Ads', externalReferenceId: 'x', metadata: { a: '1' } });
    expect(file.card).toMatchObject({
      accountId: id('account'),
      holderId: id('person'),
      cardHolderId: id('card_holder'),
      label: 'Ads',
      product: 'consumer_debit',
      type: 'virtual',
      expiryMonth: '03',
      expiryYear: '2030',
      shipment: null,
      billingAddress: null,
      externalReferenceId: 'x',
      metadata: { a: '1' },
      status: 'open',
      activatedAt: START,
      closedAt: null,
    });
    expect(file.cardHolder.id).toBe(id('card_holder'));
    expect(bank.cards.byId(file.card.id)).toEqual(file);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(['card.created', 'card.status.open']);
    expect(kindsV1(facts)).toEqual([]);
  });

  test('that is physical is being shipped and requires activation', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox, {
      type: 'physical',
      product: 'business_debit',
      embossing: { cardHolderName: 'EVA STONE', businessName: '' },
      shippingAddress: ADDRESS,
      billingAddress: ADDRESS,
    });
    expect(card).toMatchObject({
      product: 'business_debit',
      status: 'pending_activation',
      activatedAt: null,
      billingAddress: ADDRESS,
      shipment: {
        cardHolderName: 'EVA STONE',
        shippingAddress: ADDRESS,
        trackingStatus: 'pending',
        eta: '2026-03-14',
      },
    });
    expect(kindsV2(sandbox.newFacts())).toEqual(['card.created', 'card.status.locked']);
  });

  test('has a unique test number with a valid Luhn digit', async () => {
    const sandbox = openTestSandbox();
    const files = await Promise.all(Array.from({ length: 30 }, () => issue(sandbox)));
    for (const { card } of files) {
      expect(card.number).toMatch(/^40000200\d{8}$/);
      expect(passesLuhn(card.number)).toBe(true);
      expect(card.last4).toBe(card.number.slice(-4));
      expect(card.cvv).toMatch(/^\d{3}$/);
    }
    expect(new Set(files.map(({ card }) => card.number)).size).toBe(30);
  });

  test('of a business has the spend type of a business by default', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const { card } = await run(({ holders, accounts, cardHolders, cards }) => {
      holders.submitKyb(id('business'));
      const { account } = accounts.open({ holderId: id('business'), type: 'cash' });
      const cardHolder = cardHolders.create({ accountId: account.id, person: person() });
      return cards.issue({ cardHolderId: cardHolder.id, type: 'virtual' });
    });
    expect(card).toMatchObject({ product: 'business_spend', holderType: 'business' });
  });

  test('requires an existing card holder', async () => {
    await expect(issue(openTestSandbox(), { cardHolderId: '0'.repeat(32) })).rejects.toMatchObject({
      code: 'card_holder_not_found',
    });
  });

  test.each<Partial<CardHolder>>([
    { status: 'pending_activation' },
    { status: 'suspended' },
    { status: 'deactivated', deactivatedAt: START },
    { status: 'locked', lockedFrom: 'activated' },
    { ofacStatus: 'fail' },
  ])('needs a card holder who is active and passed OFAC, not %o', async (changes) => {
    const test = openTestSandbox();
    const { id, sandbox } = test;
    const cardHolder = sandbox.store.cardHolders.byId(id('card_holder')) as CardHolder;
    sandbox.store.cardHolders.replace({ ...cardHolder, ...changes });
    await expect(issue(test)).rejects.toMatchObject({
      code: 'card_holder_not_active',
      field: 'cardHolderId',
    });
  });

  test('requires consistent controls', async () => {
    const controls = { allowed: { countries: ['US'] }, blocked: { countries: ['CA'] } };
    await expect(issue(openTestSandbox(), { controls })).rejects.toMatchObject({
      code: 'card_controls_both',
      field: 'controls.blocked.countries',
    });
  });
});

describe('a change of a card', () => {
  test('keeps the fields that it does not contain, and publishes an event', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox, { label: 'old', metadata: { a: '1', b: '2' } });
    sandbox.clock.advance(1_000);
    sandbox.newFacts();
    const file = await change(sandbox, card.id, {
      label: 'new',
      externalReferenceId: 'y',
      billingAddress: ADDRESS,
      metadata: { a: '', c: '3' },
    });
    expect(file.card).toEqual({
      ...card,
      label: 'new',
      externalReferenceId: 'y',
      billingAddress: ADDRESS,
      metadata: { b: '2', c: '3' },
      updatedAt: START + 1_000,
    });
    expect(sandbox.bank.cards.byId(card.id)).toEqual(file);
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['card.updated']);
    expect(kindsV1(facts)).toEqual(['card.updated']);
  });

  test('of only the status publishes one status event; with other fields both events', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox);
    sandbox.newFacts();
    await change(sandbox, card.id, { status: 'blocked' });
    expect(kindsV2(sandbox.newFacts())).toEqual(['card.status.blocked']);
    await change(sandbox, card.id, { status: 'open', label: 'x' });
    expect(kindsV2(sandbox.newFacts())).toEqual(['card.updated', 'card.status.open']);
    await change(sandbox, card.id, { status: 'closed' });
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['card.status.closed']);
    expect(kindsV1(facts)).toEqual(['card.canceled']);
  });

  test('to the present status publishes nothing', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox);
    sandbox.newFacts();
    const file = await change(sandbox, card.id, { status: 'open' });
    expect(file.card).toEqual(card);
    expect(sandbox.newFacts()).toEqual([]);
  });

  test('requires an existing card', async () => {
    await expect(change(openTestSandbox(), '0'.repeat(32), { label: 'x' })).rejects.toMatchObject({
      code: 'card_not_found',
    });
  });

  test('with metadata beyond the limits changes nothing', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox);
    const before = digestOf(sandbox.sandbox);
    const metadata = { a: 'x'.repeat(5_000) };
    await expect(change(sandbox, card.id, { label: 'x', status: 'blocked', metadata })).rejects.toMatchObject(
      {
        code: 'metadata_too_large',
      },
    );
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });
});

describe('the life cycle of a card', () => {
  const requests = ['open', 'blocked', 'closed'] as const;
  /** The result of each request in each state. */
  const transitions: [Card['status'], (Card['status'] | 'refused')[], string[]][] = [
    ['open', ['open', 'blocked', 'closed'], []],
    ['blocked', ['open', 'blocked', 'closed'], []],
    ['pending_activation', ['refused', 'refused', 'closed'], ['activate', 'close', 'lock']],
    ['closed', ['refused', 'refused', 'closed'], []],
    ['locked', ['refused', 'refused', 'refused'], ['unlock_pending', 'unlock_open', 'unlock_blocked']],
  ];
  const cases = transitions.flatMap(([status, ends, legal]) =>
    requests.map((requested, place) => [status, requested, ends[place], legal] as const),
  );

  test.each(cases)('from %s with the request %s results in %s', async (status, requested, end, legal) => {
    const test = openTestSandbox();
    const { card } = await issue(test);
    const put = {
      ...card,
      status,
      lockedFrom: status === 'locked' ? ('open' as const) : null,
      closedAt: status === 'closed' ? START - 1 : null,
    };
    test.sandbox.store.cards.replace(put);
    if (end === 'refused') {
      await expect(change(test, card.id, { status: requested })).rejects.toMatchObject({
        code: 'card_status_fixed',
        legal,
      });
      expect(test.bank.cards.byId(card.id).card).toEqual(put);
      return;
    }
    const file = await change(test, card.id, { status: requested });
    expect(file.card.status).toBe(end);
    expect(file.card.closedAt).toBe(end === 'closed' ? (put.closedAt ?? START) : null);
  });

  test('keeps the controls of a closed card, which accepts a label but no controls', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox);
    await change(sandbox, card.id, { status: 'closed' });
    await expect(
      change(sandbox, card.id, { label: 'x', controls: { atmEnabled: false } }),
    ).rejects.toMatchObject({ code: 'card_closed', field: 'controls' });
    expect((await change(sandbox, card.id, { label: 'gone' })).card.label).toBe('gone');
  });
});

describe('the controls of a card', () => {
  const NONE = { merchants: [], categories: [], countries: [] };

  test('are empty at first', async () => {
    const { card } = await issue(openTestSandbox());
    expect(card.controls).toEqual({
      allowed: NONE,
      blocked: NONE,
      limit: { period: '', maxSpendAmount: null, maxSpendPerTransaction: null, maxSpendCount: null },
      atmEnabled: true,
    });
  });

  test('change where they are set: a list as a whole, a limit field by field', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox, {
      controls: {
        allowed: { merchants: ['A', 'B'], countries: ['US'] },
        limit: { period: 'daily', maxSpendAmount: 100 },
      },
    });
    const steps: ControlsChange[] = [
      { allowed: { merchants: ['C'] } },
      { limit: { maxSpendCount: 3 } },
      { atmEnabled: false },
      { blocked: { categories: ['6011'] } },
      { limit: { maxSpendAmount: null } },
      {},
    ];
    for (const controls of steps) await change(sandbox, card.id, { controls });
    expect(sandbox.bank.cards.byId(card.id).card.controls).toEqual({
      allowed: { merchants: ['C'], categories: [], countries: ['US'] },
      blocked: { ...NONE, categories: ['6011'] },
      limit: { period: 'daily', maxSpendAmount: null, maxSpendPerTransaction: null, maxSpendCount: 3 },
      atmEnabled: false,
    });
  });

  test('of one card do not affect another', async () => {
    const sandbox = openTestSandbox();
    const [{ card: first }, { card: second }] = await Promise.all([issue(sandbox), issue(sandbox)]);
    await change(sandbox, first.id, { controls: { allowed: { countries: ['US'] }, atmEnabled: false } });
    expect(sandbox.bank.cards.byId(second.id).card.controls).toEqual(second.controls);
    expect((await issue(sandbox)).card.controls).toEqual(second.controls);
  });

  test.each<keyof ControlList>(['merchants', 'categories', 'countries'])(
    'never both allow and block %s, in one change or in two',
    async (list) => {
      const sandbox = openTestSandbox();
      const { card } = await issue(sandbox);
      const refusal = { code: 'card_controls_both', field: `controls.blocked.${list}` };
      const allowed = { allowed: { [list]: ['X'] } };
      const blocked = { blocked: { [list]: ['Y'] } };
      await expect(change(sandbox, card.id, { controls: { ...allowed, ...blocked } })).rejects.toMatchObject(
        refusal,
      );
      await change(sandbox, card.id, { controls: allowed });
      const before = digestOf(sandbox.sandbox);
      await expect(change(sandbox, card.id, { controls: blocked })).rejects.toMatchObject(refusal);
      expect(digestOf(sandbox.sandbox)).toBe(before);
      const swapped = await change(sandbox, card.id, {
        controls: { allowed: { [list]: [] }, blocked: { [list]: ['Y'] } },
      });
      expect(swapped.card.controls).toMatchObject({ allowed: { [list]: [] }, blocked: { [list]: ['Y'] } });
    },
  );

  test('may allow merchants and block countries', async () => {
    const sandbox = openTestSandbox();
    const { card } = await issue(sandbox, {
      controls: { allowed: { merchants: ['A'] }, blocked: { countries: ['CA'] } },
    });
    expect(card.controls).toMatchObject({ allowed: { merchants: ['A'] }, blocked: { countries: ['CA'] } });
  });
});
