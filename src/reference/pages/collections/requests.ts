/**
 * The requests of the collections for Postman and Bruno: the example of every operation of the three documents, with
 * the names of the initial records as variables. The prerequisites of a control operation, such as the id of an event
 * or a fault, come from `steps.ts`.
 */
import { type ExampleFiles, formatExample } from '../../../bank/api/operation.ts';
import { readAnswers } from '../../openapi/answers.ts';
import { API_DOCUMENTS } from '../../openapi/document.ts';
import type { ApiDocument, OperationRow } from '../../openapi/schemas.ts';
import { KEYS } from '../page.ts';
import { LEFT_OUT, STEPS, type Step, variable } from './steps.ts';

/** The variable with the address of the bank. */
const ADDRESS = 'http://127.0.0.1:4800';
export const DEFAULT_KEY = 'test_default';

/** A file in a form. */
interface FormFile {
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

/** The requests of all documents, in the order of the documents. */
export async function collectionParts(): Promise<CollectionPart[]> {
  return Promise.all(
    API_DOCUMENTS.map(async (document) => {
      const { operations } = await readAnswers(document.name, { ids: {}, address: ADDRESS });
      return {
        name: document.name,
        title: TITLES[document.name],
        keyHeader: KEYS[document.name].header,
        requests: document.operations
          .filter(({ id }) => !Object.hasOwn(LEFT_OUT, id))
          .map((row) => requestOf(document, row, operations[row.id]?.answer)),
      };
    }),
  );
}

function requestOf({ name, tagOf }: ApiDocument, row: OperationRow, answer: unknown): CollectionRequest {
  const example = formatExample({ example: row.example ?? {} }, { seed: variable });
  const { params, query, headers, body, files } = example;
  const { steps = [], params: made = {} } = STEPS[row.id] ?? {};
  const { [KEYS[name].header]: _, ...others } = headers;
  const isCommand = name !== 'sandbox' && (row.method === 'POST' || row.method === 'PATCH');
  const sent = files === undefined ? bodyOf(body) : formOf(files);
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
function formOf(files: ExampleFiles): Pick<CollectionRequest, 'body' | 'bodyType' | 'files'> {
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
