/**
 * The requests of the collections for Postman and Bruno: the example of every operation of the three documents, with
 * the names of the initial records as variables. The prerequisites of a control operation, such as the id of an event
 * or a fault, come from `steps.ts`.
 */
import { formatExample } from '../../src/bank/api/operation.ts';
import { readAnswers } from '../../src/reference/openapi/answers.ts';
import { API_DOCUMENTS } from '../../src/reference/openapi/document.ts';
import type { ApiDocument, OperationRow } from '../../src/reference/openapi/schemas.ts';
import { draftExample, KEY_HEADER } from '../answers/requests.ts';
import { LEFT_OUT, STEPS, type Step, variable } from './steps.ts';

/** The variable with the address of the bank. */
export const ADDRESS = 'http://127.0.0.1:4800';
export const DEFAULT_KEY = 'test_default';

/** A file in a form. */
export interface FormFile {
  readonly part: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A request of a collection. Its texts contain variables as `{{name}}`. */
export interface CollectionRequest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly group: string;
  readonly method: string;
  /** The segments of the path. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The files of a form, for collections that support files. */
  readonly files?: readonly FormFile[];
  readonly bodyType?: string;
  /** The requests that are sent before it. */
  readonly steps: readonly Step[];
  readonly status: number;
  /** The recorded response, if it can be shown. */
  readonly answer?: unknown;
}

/** The requests of one document. */
export interface CollectionPart {
  readonly name: ApiDocument['name'];
  readonly title: string;
  readonly keyHeader: string;
  readonly requests: readonly CollectionRequest[];
}

const TITLES = { v2: 'v2', v1: 'v1', sandbox: 'Control plane' } as const;
const BOUNDARY = 'sandbank';

/** Maps each name of a first record to a variable of the same name. */
const AS_VARIABLES = new Proxy<Record<string, string>>({}, { get: (_, name) => variable(String(name)) });

/** The requests of all documents, in the order of the documents. */
export async function collectionParts(): Promise<CollectionPart[]> {
  return Promise.all(
    API_DOCUMENTS.map(async (document) => {
      const { operations } = await readAnswers(document.name, { ids: {}, address: ADDRESS });
      return {
        name: document.name,
        title: TITLES[document.name],
        keyHeader: KEY_HEADER[document.name],
        requests: document.operations
          .filter(({ id }) => !Object.hasOwn(LEFT_OUT, id))
          .map((row) => requestOf(document, row, operations[row.id]?.answer)),
      };
    }),
  );
}

function requestOf({ name, tagOf }: ApiDocument, row: OperationRow, answer: unknown): CollectionRequest {
  const { params, query, headers, body, payload } = draftExample(row, AS_VARIABLES);
  const { steps = [], params: made = {} } = STEPS[row.id] ?? {};
  const { [KEY_HEADER[name]]: _, ...others } = headers;
  const isCommand = name !== 'sandbox' && (row.method === 'POST' || row.method === 'PATCH');
  const sent = payload === undefined ? bodyOf(body) : formOf(row);
  return {
    id: row.id,
    name: row.summary,
    description: row.description ?? '',
    group: tagOf(row),
    method: row.method,
    path: row.path
      .split('/')
      .slice(1)
      .map((part) => (part.startsWith(':') ? ({ ...params, ...made }[part.slice(1)] ?? '') : part)),
    query,
    headers: {
      ...(isCommand && { [name === 'v2' ? 'idempotency-key' : 'sd-idempotency-key']: variable('$guid') }),
      ...Object.fromEntries(Object.entries(others).filter(([header]) => header !== 'content-type')),
    },
    ...sent,
    steps,
    status: row.status,
    ...(answer !== undefined && { answer }),
  };
}

function bodyOf(body: object | undefined): Pick<CollectionRequest, 'body' | 'bodyType'> {
  return body === undefined ? {} : { body: JSON.stringify(body, null, 2), bodyType: 'application/json' };
}

const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form as text, because a Postman collection cannot contain bytes, and as files. */
function formOf(row: OperationRow): Pick<CollectionRequest, 'body' | 'bodyType' | 'files'> {
  const { files = {} } = formatExample({ example: row.example ?? {} }, { seed: variable });
  const parts = Object.entries(files).map(([part, { contentType: type, base64 }]) => ({
    part,
    name: `${part}.png`,
    type,
    bytes: Buffer.from(base64, 'base64'),
  }));
  const texts = parts.map(
    ({ part, name, type }) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${part}"; filename="${name}"\r\n` +
      `content-type: ${type}\r\n\r\na picture\r\n`,
  );
  return { body: `${texts.join('')}--${BOUNDARY}--\r\n`, bodyType: FORM_TYPE, files: parts };
}
