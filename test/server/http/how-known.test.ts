// The sources of each operation: its decisions with their evidence, in the OpenAPI documents and on the page of the
// operation.

import { describe, expect, it } from 'vitest';
import { decisionOf, decisionsOf, howKnown } from '../../../src/bank/model/fidelity.ts';
import { OPERATIONS } from '../../../src/compare/operations.ts';
import { type Document, operationPage } from '../../../src/reference/pages/page.ts';
import { wholeDocument } from '../../support/whole-document.ts';
import { useHttp } from './support.ts';

interface Known {
  readonly slug: string;
  readonly question: string;
  readonly known: string;
}

const WORDS =
  /^(documented|sample|client|inferred|ours)(, recording \(\d{4}-\d\d-\d\d\)(: contradicts it)?)?$/;

describe('each operation', () => {
  const { call } = useHttp();

  it.each(['v2', 'v1'] as const)('of %s has its decisions, and their evidence', async (version) => {
    const document = wholeDocument(
      (await call('GET', `/openapi/${version}.json`)).body as unknown as Document,
    );
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(described.length).toBeGreaterThan(50);
    for (const { operationId, 'x-decisions': shown = [] } of described) {
      const operation = OPERATIONS.find(({ id }) => id === operationId);
      const expected = operation === undefined ? [] : decisionsOf(operation);
      expect(shown, operationId).toEqual(
        expected.map((row): Known => ({ slug: row.slug, question: row.question, known: howKnown(row) })),
      );
      for (const { slug, known } of shown) {
        expect(known).toMatch(WORDS);
        expect(() => decisionOf(slug)).not.toThrow();
      }
      const page = operationPage({ name: version, document }, operationId)?.main ?? '';
      expect(page, operationId).toContain('<h2 id="known">Source</h2>');
      for (const { slug } of shown) expect(page).toContain(`href="/docs/fidelity.html#${slug}"`);
    }
  });

  it('shows a recording with its date, and marks the control plane as ours', async () => {
    const document = wholeDocument((await call('GET', '/openapi/v2.json')).body as unknown as Document);
    const [path = '', methods = {}] = Object.entries(document.paths)[0] ?? [];
    const [method = '', operation] = Object.entries(methods)[0] ?? [];
    const known = 'inferred, recording (2026-11-25)';
    const recorded = { ...operation, 'x-decisions': [{ slug: 'opening-balance', question: 'What?', known }] };
    const changed = { ...document, paths: { [path]: { [method]: recorded } } } as unknown as Document;
    const id = operation?.operationId ?? '';
    expect(operationPage({ name: 'v2', document: changed }, id)?.main).toContain(known);
    const sandbox = wholeDocument((await call('GET', '/openapi/sandbox.json')).body as unknown as Document);
    expect(operationPage({ name: 'sandbox', document: sandbox }, 'sandbox_set_clock')?.main).toContain(
      'Only this bank has this operation.',
    );
  });
});
