/** The journal of requests: limited in number and in size, newest first, with the number of discarded entries. */
import { describe, expect, it } from 'vitest';
import { createJournal, type JournalEntry } from '../../../src/sandboxes/sandbox/journal.ts';

function entry(number: number, body = ''): JournalEntry {
  return {
    at: number,
    wallAt: number,
    id: String(number),
    apiVersion: 'v2',
    method: 'GET',
    url: '/v2/webhook',
    operation: '',
    status: 200,
    ms: 1,
    hint: '',
    idempotencyKey: '',
    replayed: false,
    fault: '',
    requestBody: body,
    answerBody: '',
    factsBefore: 0,
    factsAfter: 0,
    bank: 0,
  };
}

const idsOf = (journal: ReturnType<typeof createJournal>) => [...journal.entries()].map(({ id }) => id);

describe('a journal', () => {
  it('is empty at first', () => {
    const journal = createJournal();
    expect(idsOf(journal)).toEqual([]);
    expect(journal.counts()).toEqual({ kept: 0, dropped: 0 });
    expect(journal.byId('1')).toBeUndefined();
  });

  it('keeps the newest, newest first, and counts the others', () => {
    const journal = createJournal(3);
    for (let number = 1; number <= 8; number += 1) journal.record(entry(number));
    expect(idsOf(journal)).toEqual(['8', '7', '6']);
    expect(journal.counts()).toEqual({ kept: 3, dropped: 5 });
    expect(journal.byId('7')).toMatchObject({ at: 7 });
    expect(journal.byId('5')).toBeUndefined();
  });

  it('drops the oldest if bodies are large, but never the newest', () => {
    const journal = createJournal(10, 100);
    for (let number = 1; number <= 4; number += 1) journal.record(entry(number, 'x'.repeat(40)));
    expect(idsOf(journal)).toEqual(['4', '3']);
    journal.record(entry(5, 'x'.repeat(500)));
    expect(idsOf(journal)).toEqual(['5']);
    journal.record(entry(6));
    expect(idsOf(journal)).toEqual(['6']);
    expect(journal.counts()).toEqual({ kept: 1, dropped: 5 });
  });

  it('has at most a thousand entries', () => {
    const journal = createJournal();
    for (let number = 1; number <= 1001; number += 1) journal.record(entry(number));
    expect(journal.counts()).toEqual({ kept: 1000, dropped: 1 });
    expect(idsOf(journal)).toHaveLength(1000);
  });
});
