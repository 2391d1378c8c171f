/** What a process remembers of its database, and what it takes back. */
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Memory, memoryOf, type Remembered } from '../../src/store/memory.ts';

let memory: Memory;
let names: Remembered<string, string>;

beforeEach(() => {
  memory = memoryOf(new Database(':memory:'));
  names = memory.named('names');
});

const all = () => ['a', 'b', 'c'].map((key) => names.get(key) ?? '-').join('');

describe('the memory of a database', () => {
  it('is the same for everybody who asks by its name', () => {
    names.set('a', '1');
    expect(memory.named<string, string>('names').get('a')).toBe('1');
    expect(memory.named<string, string>('others').get('a')).toBeUndefined();
  });

  it('takes back what was written since a mark, the last first', () => {
    names.set('a', '1');
    names.set('b', '2');
    const takeBack = memory.mark();
    names.set('a', '3');
    names.set('a', '4');
    names.forget('b');
    names.set('c', '5');
    expect(all()).toBe('4-5');
    takeBack();
    expect(all()).toBe('12-');
  });

  it('takes back the inner part alone, and then the whole', () => {
    const whole = memory.mark();
    names.set('a', '1');
    const inner = memory.mark();
    names.set('a', '2');
    inner();
    expect(all()).toBe('1--');
    names.set('b', '3');
    whole();
    expect(all()).toBe('---');
  });

  it('forgets a row that was inserted and read, when its insertion is taken back', () => {
    const takeBack = memory.mark();
    names.forget('a');
    names.learn('a', 'inserted');
    takeBack();
    expect(all()).toBe('---');
  });

  it('reads all again when it was taken back that all were forgotten', () => {
    names.set('a', '1');
    const takeBack = memory.mark();
    names.forgetAll();
    names.learn('a', 'of what is taken back');
    expect(all()).not.toBe('1--');
    takeBack();
    expect(all()).toBe('---');
  });

  it('takes nothing back of what is settled, and forgets what there is too much of', () => {
    names.set('a', '1');
    memory.settle();
    memory.mark()();
    expect(all()).toBe('1--');
    names.set('b', '2');
    memory.settle(2);
    expect(all()).toBe('12-');
    memory.settle(1);
    expect(all()).toBe('---');
  });
});
