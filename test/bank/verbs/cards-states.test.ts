// A card after it was issued: its activation, its replacement, the rest of its limit and the lists of cards; and the
// cards that an account allows.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import type { Account, AccountConfig, Card, CardHolder } from '../../../src/bank/model/records.ts';
import type { CardDetailsInput, NewCard } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { ADDRESS, kindsV1, kindsV2, putAccount } from './parties.ts';

const issue = async ({ run, id }: TestSandbox, changes: Partial<NewCard> = {}): Promise<Card> => {
  const { card } = await run(({ cards }) =>
    cards.issue({ cardHolderId: id('card_holder'), type: 'virtual', ...changes }),
  );
  return card;
};
const detailsOf = ({ expiryMonth, expiryYear, last4 }: Card): CardDetailsInput => ({
  expiryMonth,
  expiryYear,
  last4,
});
const activate = ({ run }: TestSandbox, id: Id, given: CardDetailsInput) =>
  run(({ cards }) => cards.activate(id, given));
const replace = ({ run }: TestSandbox, id: Id, change: { shippingAddress?: typeof ADDRESS } = {}) =>
  run(({ cards }) => cards.replace(id, change));
const putCard = ({ sandbox }: TestSandbox, id: Id, status: Card['status']): void => {
  const card = sandbox.store.cards.byId(id) as Card;
  const lockedFrom = status === 'locked' ? 'open' : null;
  sandbox.store.cards.replace({ ...card, status, lockedFrom, closedAt: status === 'closed' ? START : null });
};

describe('an activation', () => {
  test('opens a physical card if the sent details are correct', async () => {
    const sandbox = openTestSandbox();
    const { id, bank, newFacts, clock } = sandbox;
    const { card } = bank.cards.byId(id('physical_card'));
    clock.advance(1_000);
    const file = await activate(sandbox, card.id, detailsOf(card));
    const at = START + 1_000;
    expect(file.card).toEqual({ ...card, status: 'open', activatedAt: at, updatedAt: at });
    expect(bank.cards.byId(card.id)).toEqual(file);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(['card.status.open']);
    expect(kindsV1(facts)).toEqual(['card.updated']);
  });

  test.each<[Partial<CardDetailsInput>, string, string]>([
    [{ expiryMonth: '13' }, 'expiryMonth', 'differs from the card: the expiry month'],
    [{ expiryYear: '1999' }, 'expiryYear', 'differs from the card: the expiry year'],
    [{ last4: '' }, 'last4', 'differs from the card: the last four digits'],
    [
      { expiryYear: '1999', last4: 'x' },
      'expiryYear',
      'differs from the card: the expiry year, the last four digits',
    ],
  ])('with %o is refused, and says what differs', async (wrong, field, message) => {
    const sandbox = openTestSandbox();
    const { card } = sandbox.bank.cards.byId(sandbox.id('physical_card'));
    const before = digestOf(sandbox.sandbox);
    await expect(activate(sandbox, card.id, { ...detailsOf(card), ...wrong })).rejects.toMatchObject({
      code: 'card_details_mismatch',
      field,
      message,
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('of a virtual card is refused, whatever data are sent', async () => {
    const sandbox = openTestSandbox();
    const card = await issue(sandbox);
    await expect(activate(sandbox, card.id, detailsOf(card))).rejects.toMatchObject({
      code: 'card_not_physical',
      message: 'only a physical card can be activated; this card is virtual and open',
    });
  });

  test.each<Card['status']>(['open', 'blocked', 'closed', 'locked'])(
    'of one that is %s is refused, before its details are looked at',
    async (status) => {
      const sandbox = openTestSandbox();
      putCard(sandbox, sandbox.id('physical_card'), status);
      const given = { expiryMonth: '', expiryYear: '', last4: '' };
      await expect(activate(sandbox, sandbox.id('physical_card'), given)).rejects.toMatchObject({
        code: 'card_not_inactive',
      });
    },
  );
});

describe('a replacement of a card', () => {
  test('copies the card with a new number, and closes the old one', async () => {
    const sandbox = openTestSandbox();
    const { bank, newFacts, clock } = sandbox;
    const old = await issue(sandbox, {
      label: 'Ads',
      theme: 'dark',
      controls: { limit: { period: 'daily', maxSpendAmount: 100 } },
      billingAddress: ADDRESS,
      externalReferenceId: 'x',
      metadata: { a: '1' },
    });
    newFacts();
    clock.advance(1_000);
    const file = await replace(sandbox, old.id);
    const { id, number, cvv, last4, ...rest } = file.card;
    const at = START + 1_000;
    expect({ ...old, ...rest }).toEqual({ ...old, createdAt: at, updatedAt: at, activatedAt: at });
    expect(id).not.toBe(old.id);
    expect(number).not.toBe(old.number);
    expect(number.endsWith(last4)).toBe(true);
    expect(cvv).toMatch(/^\d{3}$/);
    const gone = bank.cards.byId(old.id);
    expect(gone.card).toEqual({ ...old, status: 'closed', closedAt: at, updatedAt: at, replacedBy: id });
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(['card.status.closed', 'card.created', 'card.status.open']);
    expect(kindsV1(facts)).toEqual(['card.replaced']);
    expect(facts.map(({ resourceId }) => resourceId)).toEqual([old.id, id]);
    expect(facts[0]?.record).toEqual(gone);
  });

  test('of a physical card requires activation, and ships to the same or to another address', async () => {
    const sandbox = openTestSandbox();
    const old = await issue(sandbox, {
      type: 'physical',
      embossing: { cardHolderName: 'EVA STONE', businessName: 'STONE' },
      shippingAddress: ADDRESS,
    });
    await activate(sandbox, old.id, detailsOf(old));
    await sandbox.run(({ cards }) => cards.track(old.id, { trackingStatus: 'delivered', number: '9' }));
    const { card } = await replace(sandbox, old.id);
    expect(card).toMatchObject({ status: 'pending_activation', activatedAt: null, shipment: old.shipment });
    const elsewhere = { ...ADDRESS, city: 'Salem' };
    sandbox.clock.advance(7 * DAY_MS - 1);
    await expect(replace(sandbox, card.id)).rejects.toMatchObject({
      code: 'card_replaced_recently',
      message: expect.stringContaining('which was at'),
    });
    sandbox.clock.advance(1);
    const again = await replace(sandbox, card.id, { shippingAddress: elsewhere });
    expect(again.card.shipment).toEqual({ ...old.shipment, eta: '2026-03-21', shippingAddress: elsewhere });
  });

  test('starts with an unused limit and without a PIN', async () => {
    const sandbox = openTestSandbox();
    const limit = { period: 'all_time', maxSpendAmount: 1_000 } as const;
    const old = await issue(sandbox, { controls: { limit } });
    await sandbox.run(({ cardPayments }) => cardPayments.authorize({ cardId: old.id, amount: 400 }));
    const { card, left } = await replace(sandbox, old.id);
    expect(left).toBe(1_000);
    expect(sandbox.bank.cards.byId(old.id).left).toBe(600);
    expect(card.pinSetAt).toBe(null);
  });

  test('does not affect purchases with the old card', async () => {
    const sandbox = openTestSandbox();
    const { run, id, bank } = sandbox;
    const cardId = id('virtual_card');
    const parent = await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 400 }));
    const { card } = await replace(sandbox, cardId);
    const captured = await run(({ cardPayments }) => cardPayments.capture({ authorizationId: parent.id }));
    expect(captured.authorization.status).toBe('settled');
    const [declined, approved] = await run(({ cardPayments }) => [
      cardPayments.authorize({ cardId, amount: 1 }),
      cardPayments.authorize({ cardId: card.id, amount: 1 }),
    ]);
    expect(declined?.reason?.code).toBe('cardCanceled');
    expect(approved?.status).toBe('pending');
    expect(bank.cards.byId(cardId).card.replacedBy).toBe(card.id);
  });

  test.each<Card['status']>(['closed', 'locked'])('of a %s card is refused', async (status) => {
    const sandbox = openTestSandbox();
    putCard(sandbox, sandbox.id('virtual_card'), status);
    const before = digestOf(sandbox.sandbox);
    await expect(replace(sandbox, sandbox.id('virtual_card'))).rejects.toMatchObject({
      code: 'card_not_replaceable',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('requires an existing card, a card holder who may have cards, and an account that is not closed', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    await expect(replace(sandbox, '0'.repeat(32))).rejects.toMatchObject({ code: 'card_not_found' });
    const { store } = sandbox.sandbox;
    const cardHolder = store.cardHolders.byId(id('card_holder')) as CardHolder;
    store.cardHolders.replace({ ...cardHolder, status: 'suspended' });
    await expect(replace(sandbox, id('virtual_card'))).rejects.toMatchObject({
      code: 'card_holder_not_active',
    });
    store.cardHolders.replace(cardHolder);
    putAccount(sandbox, id('account'), 'closed');
    await expect(replace(sandbox, id('virtual_card'))).rejects.toMatchObject({ code: 'account_not_active' });
    await expect(issue(sandbox)).rejects.toMatchObject({ code: 'account_not_active', field: 'accountId' });
  });
});

describe('a name on a card', () => {
  const named = (cardHolderName: string, businessName = '') =>
    issue(openTestSandbox(), { type: 'physical', embossing: { cardHolderName, businessName } });

  test('has at most 23 characters', async () => {
    expect((await named('A'.repeat(23))).shipment?.cardHolderName).toBe('A'.repeat(23));
    await expect(named('A'.repeat(24))).rejects.toMatchObject({
      code: 'field_too_long',
      field: 'cardHolderName',
      message: 'cardHolderName has 24 characters; the maximum on a card is 23',
    });
    await expect(named('', 'B'.repeat(24))).rejects.toMatchObject({ field: 'businessName' });
  });

  test.each([...'!"&\'*+,:;<=>@_'])('cannot have a %s', async (character) => {
    await expect(named(`A${character}B`)).rejects.toMatchObject({
      code: 'field_invalid',
      field: 'cardHolderName',
      message: expect.stringContaining(`has a ${character}, which cannot be printed on a card`),
    });
    await expect(named('', character)).rejects.toMatchObject({ field: 'businessName' });
  });

  test('may contain all other characters', async () => {
    const { shipment } = await named('Jos\u00e9 O.Brien-Smith/2'.slice(0, 23), '(QUILL) 100% #1');
    expect(shipment).toMatchObject({ businessName: '(QUILL) 100% #1' });
  });
});

describe('the card configuration of an account', () => {
  const configure = ({ sandbox, id }: TestSandbox, cards: AccountConfig['cards']): void => {
    const account = sandbox.store.accounts.byId(id('account')) as Account;
    sandbox.store.accounts.replace({
      ...account,
      config: {
        send: {},
        receive: {},
        cards,
        limits: { send: { ways: {} }, receive: { ways: {} } },
        achPull: { enabled: true, allowedOriginators: [], blockedOriginators: [] },
      },
    });
  };

  test('can disable a type of cards', async () => {
    const sandbox = openTestSandbox();
    configure(sandbox, { virtual: { enabled: false, count: 10 } });
    await expect(issue(sandbox)).rejects.toMatchObject({ code: 'card_type_off', field: 'cardType' });
    expect((await issue(sandbox, { type: 'physical' })).status).toBe('pending_activation');
  });

  test('limits the number of cards, not counting closed ones', async () => {
    const sandbox = openTestSandbox();
    configure(sandbox, { virtual: { enabled: true, count: 2 } });
    const second = await issue(sandbox);
    await expect(issue(sandbox)).rejects.toMatchObject({
      code: 'cards_full',
      field: 'cardType',
    });
    await sandbox.run(({ cards }) => cards.change(second.id, { status: 'closed' }));
    expect((await issue(sandbox)).status).toBe('open');
  });
});

describe('the remaining limit of a card', () => {
  const limitOf = (
    period: 'all_time' | 'daily' | 'per_transaction',
    maxSpendAmount: number | null = 1_000,
  ) => ({
    controls: { limit: { period, maxSpendAmount } },
  });

  test('is shown for all time, decreases with purchases and increases with refunds', async () => {
    const sandbox = openTestSandbox();
    const { run, bank } = sandbox;
    const { id: cardId } = await issue(sandbox, limitOf('all_time'));
    expect(bank.cards.byId(cardId).left).toBe(1_000);
    const auth = await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 300 }));
    expect(bank.cards.byId(cardId).left).toBe(700);
    await run(({ cardPayments }) => cardPayments.reverse({ cardId, parentId: auth.id }));
    expect(bank.cards.byId(cardId).left).toBe(1_000);
  });

  test('is never negative', async () => {
    const sandbox = openTestSandbox();
    const { run } = sandbox;
    const { id: cardId } = await issue(sandbox);
    await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 300 }));
    const file = await run(({ cards }) => cards.change(cardId, limitOf('all_time', 100)));
    expect(file.left).toBe(0);
  });

  test.each([limitOf('daily'), limitOf('per_transaction'), limitOf('all_time', null), {}])(
    'is not shown for %o',
    async (changes) => {
      const sandbox = openTestSandbox();
      const { id } = await issue(sandbox, changes);
      expect(sandbox.bank.cards.byId(id)).not.toHaveProperty('left');
    },
  );

  test("is part of the card's events", async () => {
    const sandbox = openTestSandbox();
    const { run, newFacts } = sandbox;
    const { id: cardId } = await issue(sandbox, limitOf('all_time'));
    await run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 300 }));
    newFacts();
    await run(({ cards }) => cards.change(cardId, { label: 'x' }));
    expect(newFacts().map(({ record }) => record)).toEqual([sandbox.bank.cards.byId(cardId)]);
    expect(sandbox.bank.cards.byId(cardId).left).toBe(700);
  });

  test('filters cards, in both orders and across pages', async () => {
    const sandbox = openTestSandbox();
    const { bank } = sandbox;
    const made: Id[] = [];
    for (const amount of [100, 200, 300, 400]) {
      made.push((await issue(sandbox, limitOf('all_time', amount))).id);
    }
    await issue(sandbox, limitOf('daily', 300));
    const [a, b, c, d] = made;
    const find = (range: { min?: number; max?: number }, limit = 10, offset = 0, direction = 'desc') => {
      const order = { field: 'id' as const, direction: direction as 'asc' };
      const page = bank.cards.listByLeft([], { kind: 'offset', limit, offset, order }, range);
      return [page.items.map(({ card }) => card.id), page.total, page.hasNewer, page.hasOlder];
    };
    expect(find({ min: 200 })).toEqual([[d, c, b], 3, false, false]);
    expect(find({ max: 200 })).toEqual([[b, a], 2, false, false]);
    expect(find({ min: 200, max: 300 }, 10, 0, 'asc')).toEqual([[b, c], 2, false, false]);
    expect(find({ min: 100 }, 2, 1)).toEqual([[c, b], 4, true, true]);
    expect(find({ min: 401 })).toEqual([[], 0, false, false]);
  });
});

describe('the list', () => {
  const window = { kind: 'offset', limit: 10, offset: 0 } as const;

  test('of cards contains the card holder of each, newest first', async () => {
    const { bank, id } = openTestSandbox();
    const page = bank.cards.list([{ field: 'accountId', is: id('account') }], window);
    expect(page.total).toBe(2);
    expect(page.items).toEqual([bank.cards.byId(id('physical_card')), bank.cards.byId(id('virtual_card'))]);
    expect(bank.cards.list([{ field: 'type', is: 'physical' }], window).total).toBe(1);
  });

  test('of declined authorizations contains only those of one card', async () => {
    const sandbox = openTestSandbox();
    const { run, id, bank } = sandbox;
    const cardId = id('virtual_card');
    const other = await issue(sandbox);
    const [declined] = await run(({ cardPayments }) => [
      cardPayments.authorize({ cardId, amount: 99_999_999 }),
      cardPayments.authorize({ cardId, amount: 100 }),
      cardPayments.authorize({ cardId: other.id, amount: 99_999_999 }),
    ]);
    expect(bank.cards.declined(cardId, window)).toMatchObject({ items: [declined], total: 1 });
    expect(() => bank.cards.declined('0'.repeat(32), window)).toThrow(
      expect.objectContaining({ code: 'card_not_found' }),
    );
  });
});
