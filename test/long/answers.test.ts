/**
 * All responses in an OpenAPI document, recorded again: successes, events, and each refusal in the same way. Each day has one
 * document; `npm test` records some operations of each.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordDocument } from '../../build/answers/record.ts';
import { answersFile, type RecordedAnswers } from '../../src/reference/openapi/answers.ts';
import { API_DOCUMENTS } from '../../src/reference/openapi/document.ts';
import { comparable } from '../support/answers.ts';
import { partOfToday } from '../support/runs.ts';

/**
 * How many of a hundred refusals only a fault can cause: a failure of the server, a conflict that cannot occur here, and
 * the codes of v2 for states that this bank does not have.
 */
const MAX_PERCENT_BY_FAULT = 20;

describe.each(partOfToday(API_DOCUMENTS, API_DOCUMENTS.length))('the responses of $name', ({ name }) => {
  it('are the same when they are recorded again', async () => {
    const { answers, provoked } = await recordDocument(name);
    const then = JSON.parse(readFileSync(answersFile(name), 'utf8')) as RecordedAnswers;
    expect(comparable(answers.operations), 'run `npm run answers`').toEqual(comparable(then.operations));
    expect(comparable(answers.refusals)).toEqual(comparable(then.refusals));
    const byFault = provoked.filter(({ by }) => by === 'fault').length;
    expect((byFault * 100) / provoked.length).toBeLessThan(MAX_PERCENT_BY_FAULT);
  }, 240_000);
});
