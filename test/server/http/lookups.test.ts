/**
 * The pages on errors and events have every published code and every kind, and the links of an operation's page lead to them.
 */
import { expect, it } from 'vitest';
import { kindsOf } from '../../../src/bank/api/events.ts';
import { API_DOCUMENTS } from '../../../src/reference/openapi/document.ts';
import { errorsPage, eventsPage, publishedCodes } from '../../../src/reference/pages/lookups.ts';
import { useHttp } from './support.ts';

const http = useHttp({ small: true });

it('every error code of every version has a section with its causes', () => {
  const page = errorsPage();
  for (const document of API_DOCUMENTS) {
    const codes = publishedCodes(document);
    expect(codes.size).toBeGreaterThan(10);
    for (const [code, { reasons }] of codes) {
      expect(page).toContain(`### ${code} {#${document.name}-${code.toLowerCase()}}`);
      for (const [reason, { rows }] of reasons) {
        expect(page).toContain(`| \`${reason}\` |`);
        expect(rows.length).toBeGreaterThan(0);
      }
    }
  }
});

it('every event kind of both versions has a row with its causes', async () => {
  const page = await eventsPage();
  const rows = [
    ...page.matchAll(
      /^\| \[([\w.]+)\]\([^)]+\) \| (.+) \| .* \| (`sandbank trigger [\w.]+`|never: .+) \|$/gm,
    ),
  ];
  expect(rows.map(([, kind]) => kind)).toEqual([...kindsOf('v2'), ...kindsOf('v1')]);
});

it('the errors of an operation link to existing sections', async () => {
  const page = errorsPage();
  const { body } = await http.app.server.inject({ url: '/docs/reference/v1/createPerson.html' });
  const links = [...body.matchAll(/errors\.html#([\w-]+)/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(3);
  for (const id of links) expect(page).toContain(`{#${id}}`);
});

it('a fault causes the error that the page describes', async () => {
  const [, operation, status, code] =
    /fault add --operation (\w+) --status (\d+) --code (\w+)/.exec(errorsPage()) ?? [];
  const caller = http.caller();
  await caller.v2('POST', '/_sandbox/faults', {
    match: { operation },
    error: { status: Number(status), code },
    times: 1,
  });
  const refused = await caller.v2('POST', '/v2/payments/ach/pull', {});
  expect(refused.status).toBe(Number(status));
});
