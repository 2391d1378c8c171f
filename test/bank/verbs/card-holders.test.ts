// Card holders: their creation and changes, the card holders that v1 creates, and the effect of their status on
// cards.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { CardHolder, Holder, Person } from '../../../src/bank/model/records.ts';
import type { CardHolderChange } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { kindsV1, kindsV2, person, putAccount } from './parties.ts';

const change = ({ run }: TestSandbox, id: Id, changes: CardHolderChange) =>
  run(({ cardHolders }) => cardHolders.change(id, changes));

const put = ({ sandbox, id }: TestSandbox, changes: Partial<CardHolder>): CardHolder => {
  const next = { ...(sandbox.store.cardHolders.byId(id('card_holder')) as CardHolder), ...changes };
  sandbox.store.cardHolders.replace(next);
  return next;
};

describe('a card holder', () => {
  test('belongs to an account, is active immediately, and publishes events in v2', async () => {
    const { run, id, newFacts, sandbox, bank } = openTestSandbox();
    const cardHolder = await run(({ cardHolders }) =>
      cardHolders.create({ accountId: id('account'), person: person(), metadata: { a: '1' } }),
    );
    expect(cardHolder).toMatchObject({
      accountId: id('account'),
      holderId: id('person'),
      personId: '',
      person: person(),
      status: 'activated',
      ofacStatus: 'pass',
      metadata: { a: '1' },
    });
    expect(sandbox.store.cardHolders.byId(cardHolder.id)).toEqual(cardHolder);
    expect(bank.cardHolders.byId(cardHolder.id)).toEqual(cardHolder);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(['card_holder.created', 'card_holder.status.activated']);
    expect(kindsV1(facts)).toEqual([]);
  });

  test('requires an existing account that is not closed', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    await expect(
      run(({ cardHolders }) => cardHolders.create({ accountId: '0'.repeat(32), person: person() })),
    ).rejects.toMatchObject({ code: 'account_not_found' });
    putAccount(sandbox, id('account'), 'closed');
    await expect(
      run(({ cardHolders }) => cardHolders.create({ accountId: id('account'), person: person() })),
    ).rejects.toMatchObject({ code: 'account_not_active', field: 'accountId' });
  });

  test('with an unknown id is not found', async () => {
    const sandbox = openTestSandbox();
    expect(() => sandbox.bank.cardHolders.byId('0'.repeat(32))).toThrow(
      expect.objectContaining({ code: 'card_holder_not_found' }),
    );
    await expect(change(sandbox, '0'.repeat(32), {})).rejects.toMatchObject({
      code: 'card_holder_not_found',
    });
  });

  test('is in the list, newest first', async () => {
    const { run, id, bank } = openTestSandbox();
    const made = await run(({ cardHolders }) =>
      cardHolders.create({ accountId: id('other_account'), person: person() }),
    );
    const page = bank.cardHolders.list([], { kind: 'offset', limit: 10, offset: 0 });
    expect(page.items.map((item) => item.id)).toEqual([made.id, id('card_holder')]);
    expect(page.total).toBe(2);
  });
});

describe('a change of a card holder', () => {
  test('keeps the fields that it does not contain, and publishes an event in v2', async () => {
    const sandbox = openTestSandbox();
    const { id, newFacts, clock, bank } = sandbox;
    const before = bank.cardHolders.byId(id('card_holder'));
    clock.advance(1_000);
    const after = await change(sandbox, before.id, {
      person: { firstName: 'Adele' },
      purpose: 'Travel',
      metadata: { team: 'road' },
    });
    expect(after).toEqual({
      ...before,
      person: { ...before.person, firstName: 'Adele' },
      purpose: 'Travel',
      metadata: { team: 'road' },
      updatedAt: START + 1_000,
    });
    expect(bank.cardHolders.byId(before.id)).toEqual(after);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(['card_holder.updated']);
    expect(kindsV1(facts)).toEqual([]);
  });

  test('of only the status publishes only a status event, and nothing for the present status', async () => {
    const sandbox = openTestSandbox();
    const { id, newFacts } = sandbox;
    const cardHolderId = id('card_holder');
    await change(sandbox, cardHolderId, { status: 'suspended' });
    expect(kindsV2(newFacts())).toEqual(['card_holder.status.suspended']);
    await change(sandbox, cardHolderId, { status: 'suspended' });
    expect(newFacts()).toEqual([]);
    const ended = await change(sandbox, cardHolderId, { status: 'deactivated', purpose: 'gone' });
    expect(kindsV2(newFacts())).toEqual(['card_holder.updated', 'card_holder.status.deactivated']);
    expect(ended).toMatchObject({ status: 'deactivated', deactivatedAt: START });
  });

  test('with metadata beyond the limits changes nothing', async () => {
    const sandbox = openTestSandbox();
    const before = digestOf(sandbox.sandbox);
    const requested = { status: 'suspended', metadata: { a: 'x'.repeat(5_000) } } as const;
    await expect(change(sandbox, sandbox.id('card_holder'), requested)).rejects.toMatchObject({
      code: 'metadata_too_large',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  const STATUSES = ['pending_activation', 'activated', 'suspended', 'deactivated'] as const;
  const transitions: [CardHolder['status'], (CardHolder['status'] | 'refused')[]][] = [
    ['pending_activation', ['pending_activation', 'activated', 'refused', 'deactivated']],
    ['activated', ['refused', 'activated', 'suspended', 'deactivated']],
    ['suspended', ['refused', 'activated', 'suspended', 'deactivated']],
    ['deactivated', ['refused', 'refused', 'refused', 'deactivated']],
    ['locked', ['refused', 'refused', 'refused', 'deactivated']],
  ];
  const cases = transitions.flatMap(([status, ends]) =>
    STATUSES.map((requested, place) => [status, requested, ends[place]] as const),
  );

  test.each(cases)('from %s to %s results in %s', async (status, requested, end) => {
    const sandbox = openTestSandbox();
    const present = put(sandbox, {
      status,
      lockedFrom: status === 'locked' ? 'activated' : null,
      deactivatedAt: status === 'deactivated' ? START - 1 : null,
    });
    if (end === 'refused') {
      await expect(change(sandbox, present.id, { status: requested })).rejects.toMatchObject({
        code: 'illegal_step',
      });
      expect(sandbox.bank.cardHolders.byId(present.id)).toEqual(present);
      return;
    }
    const after = await change(sandbox, present.id, { status: requested });
    expect(after.status).toBe(end);
    expect(after.deactivatedAt).toBe(end === 'deactivated' ? (present.deactivatedAt ?? START) : null);
    expect(after.lockedFrom).toBe(null);
  });
});

describe('the card holder of a person', () => {
  const ofPerson = ({ run }: TestSandbox, accountId: Id, personId: Id | '') =>
    run(({ cardHolders }) => cardHolders.ofPerson(accountId, personId));

  test('is created once per account, from the data of the person', async () => {
    const sandbox = openTestSandbox();
    const { id, newFacts, bank } = sandbox;
    const accountId = id('other_account');
    const made = await ofPerson(sandbox, accountId, id('person'));
    expect(made).toMatchObject({ accountId, personId: id('person'), status: 'activated' });
    expect(made.person).toEqual(bank.holders.byId(id('person')).holder.person);
    expect(kindsV2(newFacts())).toEqual(['card_holder.created', 'card_holder.status.activated']);
    expect(await ofPerson(sandbox, accountId, id('person'))).toEqual(made);
    expect(await ofPerson(sandbox, accountId, id('other_person'))).not.toEqual(made);
  });

  test('belongs to the person of the account if no person is passed', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    const made = await ofPerson(sandbox, id('other_account'), '');
    expect(made.personId).toBe(id('other_person'));
  });

  test('is an existing one from v2 with the same name and number, and publishes nothing', async () => {
    const sandbox = openTestSandbox();
    const { id, newFacts } = sandbox;
    const found = await ofPerson(sandbox, id('account'), '');
    expect(found).toMatchObject({ id: id('card_holder'), personId: id('person') });
    expect(newFacts()).toEqual([]);
  });

  test('is a new one if the number is equal and the name is not', async () => {
    const sandbox = openTestSandbox();
    const { id, bank } = sandbox;
    const { person: own } = bank.cardHolders.byId(id('card_holder'));
    put(sandbox, { person: { ...own, lastName: 'Elsewhere' } });
    expect((await ofPerson(sandbox, id('account'), '')).id).not.toBe(id('card_holder'));
  });

  test('is created again if the previous one was deactivated', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    const first = await ofPerson(sandbox, id('account'), '');
    await change(sandbox, first.id, { status: 'deactivated' });
    const second = await ofPerson(sandbox, id('account'), '');
    expect(second).toMatchObject({ personId: first.personId, status: 'activated' });
    expect(second.id).not.toBe(first.id);
  });

  test('of a business is the person who created it, and empty if there is none', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const open = (createdBy?: Id) =>
      run(({ holders, accounts }) => {
        const { holder } = holders.submitKyb(id('business'));
        const input = { holderId: holder.id, type: 'checking' as const };
        return accounts.open(createdBy === undefined ? input : { ...input, createdBy }).account.id;
      });
    expect((await ofPerson(sandbox, await open(id('person')), '')).personId).toBe(id('person'));
    await expect(ofPerson(sandbox, await open(), '')).rejects.toMatchObject({
      code: 'person_header_missing',
    });
  });

  test.each<Holder['status']>(['suspended', 'deactivated', 'locked'])(
    'is nobody who is %s',
    async (status) => {
      const sandbox = openTestSandbox();
      const { id, bank } = sandbox;
      const { holder } = bank.holders.byId(id('other_person'));
      sandbox.sandbox.store.holders.replace({
        ...holder,
        status,
        lockedFrom: status === 'locked' ? 'activated' : null,
        deactivatedAt: status === 'deactivated' ? START : null,
      });
      await expect(ofPerson(sandbox, id('account'), holder.id)).rejects.toMatchObject({
        code: 'holder_not_active',
        field: 'createdBy',
      });
    },
  );

  test('cannot be a business, or belong to a closed or unknown account', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    await expect(ofPerson(sandbox, id('account'), id('business'))).rejects.toMatchObject({
      code: 'holder_not_found',
    });
    await expect(ofPerson(sandbox, '0'.repeat(32), '')).rejects.toMatchObject({ code: 'account_not_found' });
    putAccount(sandbox, id('account'), 'closed');
    await expect(ofPerson(sandbox, id('account'), '')).rejects.toMatchObject({ code: 'account_not_active' });
  });
});

describe('the cards of a card holder', () => {
  test.each<CardHolder['status']>(['pending_activation', 'suspended', 'deactivated', 'locked'])(
    'are declined while it is %s, whatever the account is',
    async (status) => {
      const sandbox = openTestSandbox();
      const { run, id } = sandbox;
      put(sandbox, {
        status,
        lockedFrom: status === 'locked' ? 'activated' : null,
        deactivatedAt: status === 'deactivated' ? START : null,
      });
      putAccount(sandbox, id('account'), 'blocked');
      const declined = await run(({ cardPayments }) =>
        cardPayments.authorize({ cardId: id('virtual_card'), amount: 100 }),
      );
      expect(declined).toMatchObject({
        status: 'declined',
        reason: { code: 'cardInactive', message: `the card holder is ${status}` },
      });
      expect(sandbox.bank.cards.byId(id('virtual_card')).card.status).toBe('open');
    },
  );

  test('that are closed decline with cardCanceled, whatever the status of the card holder', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    put(sandbox, { status: 'suspended' });
    const declined = await run(({ cards, cardPayments }) => {
      cards.change(id('virtual_card'), { status: 'closed' });
      return cardPayments.authorize({ cardId: id('virtual_card'), amount: 100 });
    });
    expect(declined.reason?.code).toBe('cardCanceled');
  });
});

test('a change of a card holder requires all nine digits of a social security number', async () => {
  const { id, bank, run } = openTestSandbox();
  const four = { ...person(), idType: 'ssn', idNumber: '7321' } as const;
  const { id: made } = await run(({ cardHolders }) =>
    cardHolders.create({ accountId: id('account'), person: four }),
  );
  const change = (fields: Partial<Person>) =>
    run(({ cardHolders }) => cardHolders.change(made, { person: fields }));
  expect((await change({ firstName: 'Ida', idNumber: '7321' })).person.firstName).toBe('Ida');
  const refused = { code: 'field_invalid', field: 'person.idNumber' };
  await expect(change({ idNumber: '7322' })).rejects.toMatchObject(refused);
  expect(bank.cardHolders.byId(made).person).toMatchObject({ firstName: 'Ida', idNumber: '7321' });
  expect((await change({ idNumber: '732112345' })).person.idNumber).toBe('732112345');
  expect((await change({ idType: 'other', idNumber: 'X1' })).person.idNumber).toBe('X1');
  await expect(change({ idType: 'ssn' })).rejects.toMatchObject(refused);
});
