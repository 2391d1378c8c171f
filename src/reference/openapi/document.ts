/**
 * The OpenAPI documents, generated at the first request from the same operations as the routes, with the events as
 * OpenAPI 3.1 webhooks. The examples name records of the default sandbox, so that they work unchanged; when that
 * sandbox is seeded again, the documents are generated again.
 */
import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiVersion, eventShape, kindsOf } from '../../bank/api/events.ts';
import { type ExampleCall, formatExample } from '../../bank/api/operation.ts';
import { ErrorBody } from '../../bank/api/v1/errors.ts';
import { V1_OPERATIONS } from '../../bank/api/v1/index.ts';
import { ErrorAnswer } from '../../bank/api/v2/errors.ts';
import { V2_OPERATIONS } from '../../bank/api/v2/index.ts';
import { decisionsOf, howKnown, type RegisteredDecision } from '../../bank/model/fidelity.ts';
import { ControlError } from '../../sandboxes/control/errors.ts';
import { CONTROL_OPERATIONS } from '../../sandboxes/control/index.ts';
import { seededIds } from '../../sandboxes/control/summary.ts';
import { DEFAULT_SANDBOX } from '../../sandboxes/registry/names.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import { baseUrlOf } from '../base-url.ts';
import { type RecordedAnswers, type RecordedOperation, readAnswers } from './answers.ts';
import { describeField } from './field-descriptions.ts';
import { writeOlder } from './older.ts';
import {
  formatControlExample,
  formatV1Example,
  formatV2Example,
  refusalExamples,
  refusalsOf,
} from './refusals.ts';
import { type ApiDocument, createSchemas, type Json, type OperationRow, type Schemas } from './schemas.ts';
import { shareParts } from './shared-parts.ts';
import { TAGS, tagNameOf, WEBHOOK_TAG } from './tags.ts';
import { describeKind, describeOperation, kindSummary } from './words.ts';

/** The properties of the bank that appear in its documents. */
interface Served {
  /** The ids of the records that the examples name, by their names. */
  readonly ids: Readonly<Record<string, string>>;
  /** The address of the bank. */
  readonly address: string;
  readonly version: string;
  readonly registry: Registry;
}

const apiKey = (name: string, description: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});
const isCommand = ({ method }: OperationRow): boolean => method === 'POST' || method === 'PATCH';
const idempotency = (name: string) => ({
  name,
  description: 'The first answer under a key is repeated for 24 hours, and its request is executed once.',
  isFor: isCommand,
});

const V2: ApiDocument = {
  name: 'v2',
  title: 'Sandbank v2',
  description: 'Version 2 of the API, as this bank serves it.',
  operations: V2_OPERATIONS,
  error: ErrorAnswer,
  formatRefusal: formatV2Example,
  security: [{ api_key: [] }],
  schemes: { api_key: apiKey('api-key', 'A key test_<name> opens the sandbox <name>.') },
  headers: [idempotency('idempotency-key')],
  // Grouped by the record or the rail in the path.
  tagOf: ({ path }) => {
    const [, , area = '', noun = ''] = path.split('/');
    const isOfArea = noun === '' || noun.startsWith(':') || area === 'webhook' || area === 'simulate';
    return tagNameOf(isOfArea ? area : noun);
  },
};

const V1: ApiDocument = {
  name: 'v1',
  title: 'Sandbank v1',
  description: 'Version 1 of the API, as this bank serves it.',
  operations: V1_OPERATIONS,
  error: ErrorBody,
  formatRefusal: formatV1Example,
  security: [{ api_key: [] }],
  schemes: { api_key: apiKey('sd-api-key', 'A key test_<name> opens the sandbox <name>.') },
  headers: [
    idempotency('sd-idempotency-key'),
    {
      name: 'sd-person-id',
      description: 'The person on whose behalf the request is sent.',
      isFor: ({ path }) => !path.startsWith('/v1/webhook'),
    },
  ],
  tagOf: ({ path }) => tagNameOf(path.split('/')[2] ?? ''),
};

const CONTROL: ApiDocument = {
  name: 'sandbox',
  title: 'Sandbank control plane',
  description: 'Functions of a sandbox that the real bank does not have.',
  operations: CONTROL_OPERATIONS,
  error: ControlError,
  formatRefusal: formatControlExample,
  // Open on loopback.
  security: [{}, { control_token: [] }],
  schemes: {
    control_token: apiKey(
      'x-control-token',
      'SANDBANK_CONTROL_TOKEN; required if the server does not listen on loopback, or if a token is set.',
    ),
  },
  headers: [
    {
      name: 'api-key',
      description: 'The key of the sandbox; default: the default sandbox.',
      isFor: () => true,
    },
  ],
  tagOf: ({ group }) => group ?? '',
};

/** The three documents, in the order in which they are shown. */
export const API_DOCUMENTS = [V2, V1, CONTROL] as const;

/** A generated document. */
export interface Printed {
  /** With every part in its place, for the pages. */
  readonly document: Json;
  /** As it is served: parts that occur more than once are references. */
  readonly shared: Json;
  readonly text: string;
}

/** The documents of a bank by name, each generated once for its ids and the address of the request. */
export type Documents = ReadonlyMap<string, (request: FastifyRequest) => Promise<Printed>>;

/** Creates the documents of a bank, without that of the control plane if it is off. */
export function createDocuments({
  registry,
  version,
  control,
}: {
  registry: Registry;
  version: string;
  control: boolean;
}): Documents {
  const documents = API_DOCUMENTS.filter(({ name }) => control || name !== 'sandbox');
  return new Map(
    documents.map((described) => {
      let printed: Printed & { of: string } = { of: '', document: {}, shared: {}, text: '' };
      const print = async (request: FastifyRequest): Promise<Printed> => {
        const sandbox = registry.look(DEFAULT_SANDBOX);
        const ids = sandbox === undefined ? {} : seededIds(sandbox);
        const address = addressOf(request);
        const of = JSON.stringify([ids, address]);
        if (printed.of === of) return printed;
        const answers = await readAnswers(described.name, { ids, address });
        const document = writeDocument(described, answers, { ids, address, version, registry });
        const shared = shareParts(document);
        const own = { of, document, shared, text: JSON.stringify(shared) };
        printed = own;
        return own;
      };
      return [described.name, print];
    }),
  );
}

/** Serves the documents below its prefix. */
export function registerOpenApi(app: FastifyInstance, documents: Documents): void {
  for (const [name, print] of documents) {
    let older = { of: '', text: '' };
    app.get(`/${name}.json`, async (request, reply) => {
      const { text } = await print(request);
      return reply.header('content-type', 'application/json; charset=utf-8').send(text);
    });
    app.get(`/3.0/${name}.json`, async (request, reply) => {
      const printed = await print(request);
      if (older.of !== printed.text) {
        older = {
          of: printed.text,
          text: JSON.stringify(writeOlder(structuredClone(printed.shared))),
        };
      }
      return reply.header('content-type', 'application/json; charset=utf-8').send(older.text);
    });
  }
}

/**
 * The address at which the bank was called. A name of this machine is replaced by its IP address, which needs no
 * resolution.
 */
function addressOf(request: FastifyRequest): string {
  return baseUrlOf(request).replace(/^(https?:\/\/)localhost(?=:|$)/i, '$1127.0.0.1');
}

/** Writes a document with the recorded answers, for the bank that serves it. */
function writeDocument(described: ApiDocument, answers: RecordedAnswers, served: Served): Json {
  const schemas = createSchemas();
  const paths: Record<string, Json> = {};
  for (const row of described.operations) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    (paths[path] as Json)[row.method.toLowerCase()] = describe(described, schemas, row, answers, served);
  }
  const refused = {
    description: 'Refused; nothing changed.',
    content: { 'application/json': { schema: schemas.write(described.error) } },
  };
  const webhooks =
    described.name === 'sandbox' ? {} : describeWebhooks(described.name, schemas, answers, served.registry);
  return {
    openapi: '3.1.0',
    info: {
      title: described.title,
      description: described.description,
      version: served.version,
      contact: { name: 'Sandbank', url: `${served.address}/docs/` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: served.address }],
    security: described.security,
    externalDocs: { description: 'Guides and reference', url: `${served.address}/docs/` },
    tags: tagsOf(described),
    paths,
    ...webhooks,
    components: {
      securitySchemes: described.schemes,
      schemas: sorted(schemas.components),
      responses: { Error: refused },
      examples: refusalExamples(answers),
    },
  };
}

/** The groups in the order of their operations, then the events. */
function tagsOf({ name, operations, tagOf }: ApiDocument): Json[] {
  const used = new Set([...operations.map(tagOf), ...(name === 'sandbox' ? [] : [WEBHOOK_TAG])]);
  return [...used].map((tag) => ({ name: tag, description: TAGS[name][tag] }));
}

function sorted(components: Schemas['components']): Json {
  return Object.fromEntries(Object.entries(components).sort(([left], [right]) => (left < right ? -1 : 1)));
}

type Writer = Pick<Schemas, 'write'>;

function describe(
  described: ApiDocument,
  all: Schemas,
  row: OperationRow,
  answers: RecordedAnswers,
  served: Served,
): Json {
  const schemas: Writer = row.recordsOf === undefined ? all : all.named('V1');
  const { id, summary, body, bodyType, files, status } = row;
  const decisions = decisionsOf(row);
  const example = exampleOf(row, served.ids);
  const parameters = parametersOf(described, schemas, row, example);
  const recorded = answers.operations[id];
  const { events = [] } = recorded ?? {};
  return {
    operationId: id,
    summary,
    description: describeOperation(described.name, row, events, served.address),
    tags: [described.tagOf(row)],
    // The empty entry means that a call needs no key.
    ...(row.tokenHeader !== undefined && { security: [{}, ...described.security] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: requiredOf(body).length > 0,
        content: { 'application/json': { schema: schemas.write(body, [id]), ...shown(example?.body) } },
      },
    }),
    ...(files !== undefined && { requestBody: formOf(files) }),
    ...(bodyType !== undefined && { requestBody: { required: true, content: { [bodyType]: FILE } } }),
    responses: {
      [status]: answerOf(schemas, row, recorded),
      ...refusalsOf(described, row, recorded),
      default: { $ref: '#/components/responses/Error' },
    },
    // For programs that print a reference.
    ...(events.length > 0 && { 'x-events': events }),
    ...(decisions.length > 0 && { 'x-decisions': decisions.map(formatDecision) }),
  };
}

/** A decision of an operation, with its evidence. */
function formatDecision(row: RegisteredDecision): Json {
  const { slug, question } = row;
  return { slug, question, known: howKnown(row) };
}

/** A file as a body, in the form for which OpenAPI tools offer an upload. */
const FILE: Json = { schema: { type: 'string', format: 'binary' } };

function formOf(files: NonNullable<OperationRow['files']>): Json {
  const names = Object.keys(files);
  const properties = Object.fromEntries(
    names.map((name) => [name, { ...(FILE.schema as Json), description: describeField([name]) }]),
  );
  const encoding = Object.fromEntries(
    Object.entries(files).map(([name, types]) => [name, { contentType: types.join(', ') }]),
  );
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { type: 'object', properties, required: names }, encoding },
    },
  };
}

function answerOf(schemas: Writer, row: OperationRow, recorded: RecordedOperation | undefined): Json {
  const { answer, response, contentType = 'application/json', fileTypes = [] } = row;
  const description =
    recorded?.isShortened === true ? `${answer} The lists of the example are shortened.` : answer;
  if (response === undefined) return { description };
  const content = {
    [contentType]: { schema: schemas.write(response, [row.id]), ...shown(recorded?.answer) },
  };
  const files = Object.fromEntries(fileTypes.map((type) => [type, FILE]));
  return { description, content: { ...content, ...files } };
}

/** The operation's example; the names of records that are not seeded are in angle brackets. */
function exampleOf({ example }: OperationRow, ids: Served['ids']): ExampleCall | undefined {
  if (example === undefined) return undefined;
  return formatExample({ example }, { seed: (name) => ids[name] ?? `<${name}>` });
}

const shown = (example: unknown): Json => (example === undefined ? {} : { example });

/**
 * `""` for an optional parameter of v1 and v2 that accepts every text: it counts as not sent there. Without an example,
 * programs that make requests from a document send words.
 */
function emptyFor({ type, enum: words, pattern, format, minLength }: Json): '' | undefined {
  const isFree = type === 'string' && [words, pattern, format, minLength].every((rule) => rule === undefined);
  return isFree ? '' : undefined;
}

function parametersOf(
  { name: of, headers }: ApiDocument,
  schemas: Writer,
  row: OperationRow,
  example: ExampleCall | undefined,
): Json[] {
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedSchema(schemas.write(propertiesOf(row.params)[name] ?? { type: 'string' }), [
      row.id,
      'path',
      name,
    ]),
    ...shown(example?.params[name]),
  }));
  const required = requiredOf(row.query);
  const inQuery = Object.entries(propertiesOf(row.query)).map(([name, shape]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...describedSchema(schemas.write(shape), [row.id, 'query', name]),
    ...shown(
      example?.query[name] ?? (of === 'sandbox' || required.includes(name) ? undefined : emptyFor(shape)),
    ),
  }));
  const token =
    row.tokenHeader === undefined
      ? []
      : [{ name: row.tokenHeader, description: 'Valid for five minutes; no key is needed.' }];
  const inHeader = [...headers.filter(({ isFor }) => isFor(row)), ...token].map(({ name, description }) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
    // The same key in every request of a collection would repeat the first answer.
    ...shown(example?.headers[name] ?? ''),
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

/** The schema of a parameter, and its description, which OpenAPI places beside the schema. */
function describedSchema({ description, ...schema }: Json, path: readonly string[]): Json {
  const words = description ?? describeField(path);
  return { ...(words !== undefined && { description: words }), schema };
}

function propertiesOf(shape: TSchema | undefined): Record<string, Json> {
  return (shape?.properties as Record<string, Json> | undefined) ?? {};
}

function requiredOf(shape: TSchema | undefined): readonly string[] {
  return (shape?.required as string[] | undefined) ?? [];
}

const HEADERS = [
  [
    'sd-webhook-sha256-signature',
    'HMAC-SHA256 of the raw body with the secret of the webhook, in hexadecimal.',
  ],
  ['webhook-id', 'The id of the event, the same at every attempt.'],
  ['webhook-timestamp', 'Seconds since 1970 at this attempt, in real time.'],
  ['webhook-signature', 'The signature of Standard Webhooks over id, timestamp and body.'],
] as const;

/** Every kind of event of a version, by its name. */
export function describeWebhooks(
  version: ApiVersion,
  schemas: Schemas,
  answers: RecordedAnswers,
  { examples }: Pick<Registry, 'examples'>,
): Json {
  const webhooks = Object.fromEntries(
    kindsOf(version).map((kind) => {
      const content = {
        schema: schemas.write(eventShape(version, kind)),
        example: examples.event(version, kind),
      };
      const post = {
        operationId: `event_${kind.replaceAll('.', '_')}`,
        summary: kindSummary(version, kind),
        description: describeKind(version, kind, answers, examples.happens(version, kind)),
        tags: [WEBHOOK_TAG],
        parameters: HEADERS.map(([name, description]) => ({
          name,
          in: 'header',
          description,
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': {
            description:
              'Accepted. After any other response, or none within 10 seconds, the delivery is retried.',
          },
          '410': { description: 'The webhook is deactivated.' },
        },
      };
      return [kind, { post }];
    }),
  );
  return { webhooks };
}
