/**
 * The example responses in the OpenAPI documents: every operation has one for its success and one for each refusal,
 * they match their shapes, and the bank returns the same. `npm run answers` records them, and
 * test/long/answers.test.ts records all of them again.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openBank } from '../../build/answers/bank.ts';
import { recordOperation } from '../../build/answers/record.ts';
import { createSituations } from '../../build/answers/situations.ts';
import { answersFile, type RecordedAnswers } from '../../src/reference/openapi/answers.ts';
import { API_DOCUMENTS } from '../../src/reference/openapi/document.ts';
import { useHttp } from '../server/http/support.ts';
import { comparable } from '../support/answers.ts';
import { createDocumentAjv } from '../support/document-ajv.ts';
import { wholeDocument } from '../support/whole-document.ts';

const http = useHttp();

type Json = Record<string, unknown>;
interface Example {
  value: Json;
}
interface Content {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, Content> }>;
}
interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json; examples: Record<string, Example> };
}

const read = async (name: string, host = '127.0.0.1:4800'): Promise<Document> =>
  wholeDocument((await http.call('GET', `/openapi/${name}.json`, { headers: { host } })).body as Document);
const recorded = (name: (typeof API_DOCUMENTS)[number]['name']): RecordedAnswers =>
  JSON.parse(readFileSync(answersFile(name), 'utf8')) as RecordedAnswers;

/** Bytes cannot be shown. */
const isShown = (type: string): boolean =>
  type === 'application/json' || type.startsWith('text/event-stream');

describe.each(API_DOCUMENTS)('the responses in the document of $name', (described) => {
  const { name, operations } = described;
  const statusOf = new Map(operations.map(({ id, status }) => [id, status]));

  it('are recorded for every operation, and for no other', () => {
    expect(Object.keys(recorded(name).operations)).toEqual(operations.map(({ id }) => id));
  });

  it('contain the success of every operation, with its schema', async () => {
    const document = await read(name);
    const without: string[] = [];
    const wrong: string[] = [];
    const ajv = createDocumentAjv();
    for (const { operationId, responses } of Object.values(document.paths).flatMap((at) =>
      Object.values(at),
    )) {
      const content = Object.entries(responses[String(statusOf.get(operationId))]?.content ?? {});
      const [type = '', { schema, example } = { schema: {} }] = content[0] ?? [];
      if (content.length === 0 || !isShown(type)) continue;
      if (example === undefined) without.push(operationId);
      const check = ajv.compile({ ...schema, components: document.components });
      if (!check(example)) wrong.push(`${operationId}: ${ajv.errorsText(check.errors)}`);
    }
    expect(without).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('contain each error with the method and the status of its operation', async () => {
    const document = await read(name);
    const problems: string[] = [];
    const all = Object.values(document.paths).flatMap((at) => Object.entries(at));
    for (const [method, { operationId, responses }] of all) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [code, { $ref }] of Object.entries(content['application/json']?.examples ?? {})) {
          const example = document.components.examples[$ref.replace('#/components/examples/', '')];
          const shown = example?.value as { method?: string; status?: number } | undefined;
          const own = { method: method.toUpperCase(), status: Number(status) };
          // The control plane's errors have neither of them.
          const isOwn =
            name === 'sandbox'
              ? shown !== undefined
              : shown?.method === own.method && shown.status === own.status;
          if (!isOwn) problems.push(`${operationId} ${status} ${code}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });
});

describe('the recorded responses', () => {
  it('of v2 equal those of the bank', async () => {
    const [document] = API_DOCUMENTS;
    const { operations } = recorded(document.name);
    const bank = openBank();
    const situations = createSituations();
    const now: Record<string, object> = {};
    const then: Record<string, object> = {};
    for (const row of document.operations) {
      const { refusals: _, ...known } = operations[row.id] ?? { events: [] };
      then[row.id] = known;
      now[row.id] = (await recordOperation(document, row, { bank, situations, codes: [] })).operation;
    }
    await bank.close();
    expect(comparable(now), 'run `npm run answers`').toEqual(comparable(then));
  });

  it('name the records and the address of the bank that serves them', async () => {
    const { seeded } = (await http.call('GET', '/_sandbox')).body as { seeded: Record<string, string> };
    const { ids } = recorded('v2');
    const local = await read('v2', 'localhost:4811');
    const text = JSON.stringify(local);
    expect(ids.sub_account_id).not.toBe(seeded.sub_account_id);
    expect(text).not.toContain(ids.sub_account_id);
    const answer = local.paths['/v2/accounts/sub_account/{sub_account_id}']?.get?.responses['200'];
    expect(answer?.content?.['application/json']?.example).toMatchObject({ id: seeded.sub_account_id });
    expect(local.servers).toEqual([{ url: 'http://127.0.0.1:4811' }]);
    expect(text).toContain('http://127.0.0.1:4811/');
    expect(text).not.toContain('127.0.0.1:4800');
  });
});
