/**
 * The pages of operations and events: their content is complete without scripts or clicks, for the bank that serves
 * them. test/long/docs.test.ts tests the form in a browser.
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/reference/pages/code.ts';
import { fieldsOf } from '../../src/reference/pages/schema.ts';
import { useHttp } from '../server/http/support.ts';

const http = useHttp({ small: true });
const get = (path: string) => http.app.server.inject({ url: `/docs/reference/${path}.html` });
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the page of an operation', () => {
  it('has its description, fields, code, response, events and errors', async () => {
    const { statusCode, body } = await get('v2/v2_originate_ach_pull');
    expect(statusCode).toBe(200);
    expect([...body.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id)).toEqual([
      'request',
      'example',
      'answer',
      'try',
      'events',
      'errors',
      'known',
    ]);
    expect(body).toMatch(/<code>amount<\/code> <span class="required">required<\/span>/);
    expect(body).toContain(
      '<td data-of="Parameter"><span class="depth-0"><code>idempotency-key</code></span></td><td data-of="In">header</td>',
    );
    // The ids of this bank, and not those of the bank whose responses were recorded.
    const { seeded } = (await http.app.server.inject({ url: '/_sandbox' })).json();
    expect(body).toContain(seeded.sub_account_id);
    for (const { name } of LANGUAGES) expect(body).toContain(`aria-label="${name}"`);
    expect(textOf(body)).toContain("curl -s 'http://");
    expect(textOf(body)).toContain('client.v2.originateAchPull({');
    expect(textOf(body)).toMatch(/"status": "originated"|"status": "pending"/);
    expect(body).toContain('href="/docs/reference/v2/event_transaction_created.html"');
    expect(body).toContain('href="/docs/errors.html#v2-error_code_resource_not_found"');
  });

  it('exists for every operation and event of the documents, without gaps', async () => {
    for (const name of ['v2', 'v1', 'sandbox']) {
      const document = (await http.app.server.inject({ url: `/openapi/${name}.json` })).json();
      const all = { ...document.paths, ...document.webhooks };
      for (const methods of Object.values<Record<string, { operationId: string; summary: string }>>(all)) {
        for (const { operationId, summary } of Object.values(methods)) {
          const { statusCode, body } = await get(`${name}/${operationId}`);
          expect([operationId, statusCode]).toEqual([operationId, 200]);
          expect(textOf(body)).toContain(summary);
          expect(body).not.toMatch(/undefined|\[object Object\]|<script(?![^>]*src=)|style="/);
        }
      }
    }
  });

  it('of an event has its payload and its causes', async () => {
    const { body } = await get('v1/event_card_declined');
    expect(textOf(body)).toContain('sandbank trigger card.declined');
    expect(textOf(body)).toMatch(/"eventType": "card.declined"/);
  });

  it.each(['v2/nothing', 'v3/v2_originate_ach_pull', 'v2/__proto__'])(
    'does not exist for %s',
    async (path) => {
      expect((await get(path)).statusCode).toBe(404);
    },
  );
});

describe('the fields of a schema', () => {
  const SCHEMAS = {
    Person: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        friends: { type: 'array', items: { $ref: '#/components/schemas/Person' } },
      },
    },
    Flag: { anyOf: [{ type: 'string', enum: ['true', 'false'] }, { type: 'boolean' }] },
  };

  it('follow references, and end at a recursive schema', () => {
    expect(fieldsOf(SCHEMAS, { $ref: '#/components/schemas/Person' })).toMatchObject([
      { name: 'name', depth: 0, type: 'string', isRequired: true },
      { name: 'friends', depth: 0, type: 'array of object', isRequired: false },
    ]);
  });

  it('list every type and value of a union', () => {
    const shape = { type: 'object', properties: { flag: { $ref: '#/components/schemas/Flag' } } };
    expect(fieldsOf(SCHEMAS, shape)).toMatchObject([
      { name: 'flag', type: 'string or boolean', values: ['"true"', '"false"'] },
    ]);
  });
});
