/** The contents of the caches of a database, and their rollback. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Cache, type Caches, cachesOf } from '../../../src/bank/store/cache.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { watchSqlite } from '../../support/failing-sqlite.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

let caches: Caches;
let names: Cache<string, string>;

beforeEach(() => {
  caches = cachesOf(new NodeDriver(':memory:'));
  names = caches.named('names');
});

const all = () => ['a', 'b', 'c'].map((key) => names.get(key) ?? '-').join('');

describe('a cache of a database', () => {
  it('is shared by all users of its name', () => {
    names.set('a', '1');
    expect(caches.named<string, string>('names').get('a')).toBe('1');
    expect(caches.named<string, string>('others').get('a')).toBeUndefined();
  });

  it('rolls back writes since a mark, the last first', () => {
    names.set('a', '1');
    names.set('b', '2');
    const undo = caches.mark();
    names.set('a', '3');
    names.set('a', '4');
    names.remove('b');
    names.set('c', '5');
    expect(all()).toBe('4-5');
    undo();
    expect(all()).toBe('12-');
  });

  it('rolls back an inner part alone, and then everything', () => {
    const whole = caches.mark();
    names.set('a', '1');
    const inner = caches.mark();
    names.set('a', '2');
    inner();
    expect(all()).toBe('1--');
    names.set('b', '3');
    whole();
    expect(all()).toBe('---');
  });

  it('removes a row that was inserted and read, if the insertion is rolled back', () => {
    const undo = caches.mark();
    names.remove('a');
    names.set('a', 'inserted');
    undo();
    expect(all()).toBe('---');
  });

  it('reads everything again if a complete removal is rolled back', () => {
    names.set('a', '1');
    const undo = caches.mark();
    names.clear();
    names.set('a', 'of what is taken back');
    expect(all()).not.toBe('1--');
    undo();
    expect(all()).toBe('---');
  });

  it('does not roll back what is committed, and removes rows above its maximum', () => {
    names.set('a', '1');
    caches.settle();
    caches.mark()();
    expect(all()).toBe('1--');
    names.set('b', '2');
    caches.settle(2);
    expect(all()).toBe('12-');
    caches.settle(1);
    expect(all()).toBe('---');
  });
});

describe('the cards and card holders of a bank', () => {
  it('are read once, and unchanged after a refused change', async () => {
    const { run, id, bank } = openTestSandbox();
    const cardId = id('virtual_card');
    const authorize = () => run(({ cardPayments }) => cardPayments.authorize({ cardId, amount: 100 }));
    await authorize();
    const read: string[] = [];
    const end = watchSqlite(({ sql }) => {
      if (/^select .* from "card(s|_holders)"/.test(sql)) read.push(sql);
    });
    await authorize();
    end();
    expect(read).toEqual([]);
    const { label } = bank.cards.byId(cardId).card;
    const refused = run(({ cards }) => {
      cards.change(cardId, { label: 'refused' });
      expect(cards.byId(cardId).card.label).toBe('refused');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(bank.cards.byId(cardId).card.label).toBe(label);
    await run(({ cards }) => cards.change(cardId, { label: 'changed' }));
    expect(bank.cards.byId(cardId).card.label).toBe('changed');
  });
});
