// The scenarios of the package: one for each operation, generated from its example, and one for each life cycle; and
// the refused ones.

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { operationScenarios } from '../../build/print-scenarios.ts';
import { loadCatalogue } from '../../src/compare/catalogue.ts';
import { OPERATIONS } from '../../src/compare/operations.ts';
import { planOf } from '../../src/compare/plan.ts';
import { parseScenario } from '../../src/compare/scenario.ts';
import { isCallable, sideAt } from '../../src/compare/side.ts';

const FOLDER = new URL('../../fixtures/scenarios/operations/', import.meta.url);
const CATALOGUE = loadCatalogue();
const readScenario = (name: string): unknown => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

describe('the scenarios', () => {
  it('of operations equal the output of node build/print-scenarios.ts', () => {
    const printed = operationScenarios();
    expect(readdirSync(FOLDER).toSorted()).toEqual([...printed.keys()].toSorted());
    const stale = [...printed].filter(
      ([name, text]) => !isDeepStrictEqual(readScenario(name), JSON.parse(text)),
    );
    expect(stale.map(([name]) => name)).toEqual([]);
  });

  it('cover every operation and every life cycle in both versions', () => {
    const names = CATALOGUE.runnable.map(({ name }) => name);
    expect(OPERATIONS.filter(({ id }) => !names.includes(id))).toEqual([]);
    const lives = ['holder', 'card', 'ach', 'wire', 'check', 'webhook'];
    expect(
      lives.flatMap((life) => [`v1_life_${life}`, `v2_life_${life}`]).filter((name) => !names.includes(name)),
    ).toEqual([]);
  });

  it('create records that are marked with the run', () => {
    const creations = planOf(CATALOGUE.runnable, CATALOGUE.all, false).filter(
      ({ method, path, step }) =>
        method === 'POST' &&
        /\/(sub_account|sub_account_holder|counterparty|card_holder|card|attachment|webhook|person|business|family|account|contact)$/.test(
          path,
        ) &&
        !/_refusals|life_(holder|webhook)|^clean up/.test(step),
    );
    const unmarked = creations.filter(({ body }) => !JSON.stringify(body).includes('{run}'));
    expect(creations.length).toBeGreaterThan(40);
    expect(unmarked.map(({ step }) => step)).toEqual([]);
  });
});

describe("a user's scenario", () => {
  const scenario = (request: string): object => ({ name: 'mine', about: 'Mine.', steps: [{ request }] });

  it('runs beside the built-in ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
    writeFileSync(
      join(folder, 'mine.json'),
      JSON.stringify({ ...scenario('GET /v2/webhook'), given: ['v2_master'] }),
    );
    expect(loadCatalogue(folder).runnable.at(-1)?.name).toBe('mine');
  });

  test.each([
    'GET /_sandbox/clock',
    'GET https://elsewhere.example/v2/webhook',
    'FETCH /v2/webhook',
    'GET /v2',
  ])('must not call %s', (request) => {
    expect(() => parseScenario(scenario(request), 'mine.json')).toThrow(/mine\.json is not a valid scenario/);
  });

  it('is refused with the position of an invalid step', () => {
    expect(() =>
      parseScenario({ name: 'mine', about: 'Mine.', steps: [{ call: 'x' }] }, 'mine.json'),
    ).toThrow(/steps/);
  });

  it('is refused for unknown operations or fields', () => {
    const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
    writeFileSync(
      join(folder, 'mine.json'),
      JSON.stringify({ ...scenario('GET /v2/webhook'), given: ['v2_nothing'] }),
    );
    expect(() => loadCatalogue(folder)).toThrow(/mine requires v2_nothing/);
  });
});

describe('the address of a side', () => {
  test.each([
    '/_sandbox/clock',
    '/v2/../_sandbox/clock',
    '/v2/%2e%2e/_sandbox',
    '/v2//_sandbox',
    '/v3/x',
    '/v2/a b',
    '/v2/x?y',
  ])('is refused: %s', async (path) => {
    expect(isCallable(path)).toBe(false);
    const side = sideAt({
      url: 'http://127.0.0.1:9',
      keys: {},
      fetch: () => Promise.reject(new Error('called')),
    });
    await expect(side.send({ method: 'GET', path })).rejects.toThrow(/is not below \/v1 or \/v2/);
  });
});
