/**
 * Finds records, and operations of the three OpenAPI documents that the bank serves: by words, or one by its name.
 */
import { similarTo } from '../../bank/kernel/similar.ts';
import type { Sandbank } from '../../kit/bank.ts';
import { CommandError, UsageError } from '../bank.ts';
import { someOf } from './lines.ts';

const DOCUMENTS = ['v2', 'v1', 'sandbox'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SHOWN_OPERATIONS = 8;
const FEWEST_CHARACTERS = 2;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** An operation and its document. */
export interface OperationRow {
  readonly document: Document;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The matches of the words; without words, the contents of the sandbox. */
export async function findAnything(bank: Sandbank, q = ''): Promise<string> {
  const words = q.trim();
  if (words === '') return overview(bank);
  if (words.length < FEWEST_CHARACTERS) throw new CommandError('q needs at least two characters');
  const rows = await operationsOf(bank);
  const named = rowNamed(rows, words);
  if (named !== undefined) return operationLines(named);
  const { results } = await bank.sandbox.search({ query: { q: words } });
  const lines = [
    ...someOf(results.map(({ kind, id, title, detail, at }) => `${kind} ${id} ${title}, ${detail}, ${at}`)),
    ...fitting(rows, words).map(
      ({ method, path, operation }) =>
        `operation ${operation.operationId} ${method} ${path} ${operation.summary}`,
    ),
  ];
  return lines.length > 0 ? lines.join('\n') : `no match for ${words}`;
}

async function overview({ sandbox, url }: Sandbank): Promise<string> {
  const { clock, rails, counts, seeded, sandbox: name, version } = await sandbox.retrieveSummary();
  return [
    `Sandbank ${version} at ${url}, sandbox ${name}, clock ${clock.now} ${clock.mode}, rails ${rails}`,
    `counts: ${JSON.stringify(counts)}`,
    'initial records:',
    ...Object.entries(seeded).map(([key, value]) => `  ${key} ${value}`),
    `documentation for agents: ${url}/llms.txt`,
  ].join('\n');
}

/** The operation of an operationId, or of a method and a path. */
function rowNamed(rows: readonly OperationRow[], name: string): OperationRow | undefined {
  return rows.find(({ operation, method, path }) =>
    [operation.operationId, `${method} ${path}`].includes(name),
  );
}

/** The operation of this name. Throws a `UsageError` that names the most similar ones. */
export async function operationNamed(bank: Sandbank, name: string): Promise<OperationRow> {
  const rows = await operationsOf(bank);
  const found = rowNamed(rows, name);
  if (found !== undefined) return found;
  const meant = similarTo(
    name,
    rows.map(({ operation }) => operation.operationId),
  );
  const question = meant === undefined ? '' : `did you mean ${meant}? `;
  throw new UsageError(`there is no operation ${name}; ${question}find lists operations by words`);
}

async function operationsOf(bank: Sandbank): Promise<OperationRow[]> {
  const documents = await Promise.all(
    DOCUMENTS.map(async (name) => {
      const answer = await bank.fetch(`/openapi/${name}.json`);
      if (!answer.ok) throw new CommandError(`the bank answered ${answer.status} for /openapi/${name}.json`);
      return (await answer.json()) as Document;
    }),
  );
  return documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [{ document, method: method.toUpperCase(), path, operation }];
      }),
    ),
  );
}

/** The operations with all of the words, those with the shortest text first. */
function fitting(rows: readonly OperationRow[], q: string): OperationRow[] {
  const words = q.toLowerCase().split(/\s+/);
  return rows
    .map((row) => {
      const { operationId, summary } = row.operation;
      return { row, text: `${operationId} ${row.method} ${row.path} ${summary}`.toLowerCase() };
    })
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .toSorted((left, right) => left.text.length - right.text.length)
    .slice(0, SHOWN_OPERATIONS)
    .map(({ row }) => row);
}

function operationLines({ document, method, path, operation }: OperationRow): string {
  const { operationId, summary, description = '', parameters = [], requestBody } = operation;
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  const schema = resolve(document, body?.schema ?? {});
  return [
    `${method} ${path} (${operationId})`,
    `${summary}. ${description}`,
    ...parameters.map(
      ({ name, in: place, required }) => `${place} ${name}${required === true ? ', required' : ''}`,
    ),
    ...(type === undefined ? [] : [`body ${type}`]),
    ...Object.entries(schema.properties ?? {}).map(([name, field]) =>
      fieldLine(document, name, field, schema.required?.includes(name) === true),
    ),
    ...(body?.example === undefined ? [] : [`example ${JSON.stringify(body.example)}`]),
  ].join('\n');
}

function fieldLine(document: Document, name: string, field: Schema, isRequired: boolean): string {
  const { type, enum: values, properties, description = '' } = resolve(document, field);
  const kind =
    values?.join(' | ') ?? (properties === undefined ? type : `{${Object.keys(properties).join(', ')}}`);
  return `  ${name}${isRequired ? ' (required)' : ''}: ${kind ?? ''} ${field.description ?? description}`.trimEnd();
}

function resolve({ components }: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components?.schemas?.[name] ?? {});
}
