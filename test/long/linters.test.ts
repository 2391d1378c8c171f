/** Redocly's strict rules report no error or warning in the OpenAPI documents, in 3.1 and 3.0. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Running, startBank } from '../server/process/support.ts';

const DOCUMENTS = ['v2', 'v1', 'sandbox', '3.0/v2', '3.0/v1', '3.0/sandbox'];

let bank: Running;

// The program itself, which loads the converter to 3.0 in another way than the sources do.
beforeAll(async () => {
  bank = await startBank();
});

describe.each(DOCUMENTS)('the document %s', (name) => {
  it("passes Redocly's strict rules", async () => {
    const config = await createConfig({ extends: ['recommended-strict'] });
    const answer = await fetch(`${bank.url}/openapi/${name}.json`);
    expect(answer.status).toBe(200);
    const source = await answer.text();
    const problems = await lintFromString({ source, absoluteRef: `${name}.json`, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });
});
