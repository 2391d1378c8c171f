/**
 * What the OpenAPI documents say of their fields: every named shape says what it is, whatever is measured says its unit,
 * whatever is one of a few words of the control plane is an enum, and any other field has a description unless its name
 * is a word that says it all.
 */
import { describe, expect, it } from 'vitest';
import { useHttp } from './support.ts';

const http = useHttp();

type Json = Record<string, unknown>;
interface Field {
  /** Where it was found first. */
  readonly at: string;
  readonly name: string;
  readonly shape: Json;
}

const DOCUMENTS = ['v2', 'v1', 'sandbox'] as const;

/** The seed document: its names are those of v2's bodies, and the page about it shows one whole. */
const ELSEWHERE = new Set(['sandbox_seed body']);

/** What is measured, by how its field is called, and how the description has to name the unit. */
const MEASURED: readonly (readonly [name: RegExp, unit: RegExp])[] = [
  [
    /^(amount|fees|interest|ownership)$|([aA]mount|[bB]alance|available_after|pending_(credits|debits)|pending(Credit|Debit)|max_spend_(amount|per_transaction)|available_?[lL]imit|^total(Credit|Debit)|^(daily|monthly))$/,
    /dollars|percent/i,
  ],
  [/([a-z](_at|At)|_until|^at)$/, /ISO 8601/],
  [/(date|_of_birth|DateOfBirth|^dateOfBirth|Date|^eta)$/, /YYYY-MM-DD|ISO 8601/],
  [/_ms$|^ms$/, /millisecond/i],
  [/^percent$|[oO]wnership$/, /percent|%/i],
  [/[lL]atitude|[lL]ongitude/, /degrees/i],
];

/** Fields of the control plane that are one of a few words wherever they stand. */
const WORDED = new Set([
  'dialect',
  'generation',
  'state',
  'direction',
  'side',
  'mode',
  'grade',
  'area',
  'connection',
  'when',
  'decided_by',
  'source',
  'class',
  'returned_by',
]);

/** Names that say it all. */
const PLAIN = new Set(
  `
  label name title description message sysMessage summary question
  email website url phone
  first_name middle_name last_name firstName middleName lastName senderName
  line1 line2 city state postal_code postalCode
  bank_name bankName beneficiaryBank correspondentBank accountType bankIdentifierType
  about industry legalName dba documentNumber docType issuingCountry issuingState
  merchantName merchantCity merchantState merchantCountry merchantCategory
  logo location address labels chartOfAccounts theme code method account holder
  `.match(/\S+/g),
);

/** Whether a shape needs no words: it has fields or words of its own, or says only yes or no. */
const speaksForItself = ({
  type,
  format,
  properties,
  enum: words,
  const: only,
  additionalProperties,
}: Json): boolean =>
  // A file of a form.
  format === 'binary' ||
  properties !== undefined ||
  words !== undefined ||
  only !== undefined ||
  (typeof additionalProperties === 'object' && additionalProperties !== null) ||
  [type].flat().includes('boolean') ||
  type === 'null';

interface Content {
  content?: Record<string, { schema?: Json }>;
}
interface Described {
  operationId: string;
  parameters?: { name: string; in: string; schema: Json; description?: string }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  webhooks?: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Json> };
}

const operationsOf = (paths: Document['paths']): Described[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

const read = async (name: string): Promise<Document> =>
  (await http.call('GET', `/openapi/${name}.json`)).body as Document;

/** Every shape of a document that others do not refer to by a name, and those that have one. */
function* shapesOf({ paths, webhooks = {}, components }: Document): Generator<[string, Json]> {
  yield* Object.entries(components.schemas);
  for (const { operationId, requestBody, responses } of operationsOf(paths)) {
    for (const { schema = {} } of Object.values(requestBody?.content ?? {}))
      yield [`${operationId} body`, schema];
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const { schema = {} } of Object.values(content)) yield [`${operationId} ${status}`, schema];
    }
  }
  for (const [kind, { post }] of Object.entries(webhooks)) {
    for (const { schema = {} } of Object.values(post.requestBody.content ?? {})) yield [kind, schema];
  }
}

/** Every field of a shape, without those of the shapes that it refers to. */
function* fieldsOf(at: string, shape: Json): Generator<Field> {
  const {
    properties = {},
    items,
    anyOf = [],
    allOf = [],
    additionalProperties,
  } = shape as {
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
    allOf?: Json[];
    additionalProperties?: unknown;
  };
  for (const [name, inner] of Object.entries(properties)) {
    yield { at: `${at} ${name}`, name, shape: inner };
    yield* fieldsOf(`${at} ${name}`, inner);
  }
  const others = typeof additionalProperties === 'object' ? [additionalProperties as Json] : [];
  for (const inner of [...(items === undefined ? [] : [items]), ...anyOf, ...allOf, ...others]) {
    if (inner !== null) yield* fieldsOf(at, inner);
  }
}

function everyField(document: Document): Field[] {
  const inQuery = operationsOf(document.paths).flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter((one) => one.in === 'query')
      .map(({ name, schema, description }) => ({
        at: `${operationId} query ${name}`,
        name,
        shape: { ...schema, ...(description !== undefined && { description }) },
      })),
  );
  const inShapes = [...shapesOf(document)]
    .filter(([at]) => !ELSEWHERE.has(at))
    .flatMap(([at, shape]) => [...fieldsOf(at, shape)]);
  return [...inShapes, ...inQuery];
}

/** The shape, or what it is when it is not null. */
const branchesOf = (shape: Json): Json[] => [shape, ...((shape.anyOf as Json[] | undefined) ?? [])];
const descriptionOf = (shape: Json): string =>
  branchesOf(shape)
    .map(({ description = '' }) => description)
    .join(' ');

describe.each(DOCUMENTS)('a field of %s', (name) => {
  it('is of a shape that says what it is', async () => {
    const { components } = await read(name);
    const silent = Object.entries(components.schemas).filter(
      ([, { description }]) => typeof description !== 'string',
    );
    expect(silent.map(([title]) => title)).toEqual([]);
  });

  it('says its unit, when it is an amount, a time, a duration, a share or a place', async () => {
    const fields = everyField(await read(name)).filter(({ shape }) =>
      branchesOf(shape).some(({ type }) =>
        ['string', 'number', 'integer'].includes(String([type].flat()[0])),
      ),
    );
    const met = new Set<RegExp>();
    const silent = fields.flatMap(({ at, name: called, shape }) =>
      MEASURED.flatMap(([like, unit]) => {
        if (!like.test(called) || shape.enum !== undefined) return [];
        met.add(like);
        return unit.test(descriptionOf(shape)) ? [] : [`${at}: ${descriptionOf(shape)}`];
      }),
    );
    expect([...new Set(silent)]).toEqual([]);
    expect(met.size).toBeGreaterThanOrEqual(3);
  });

  it('is described, unless its name says it all', async () => {
    const silent = everyField(await read(name)).filter(({ name: called, shape }) => {
      if (PLAIN.has(called) || descriptionOf(shape).trim() !== '') return false;
      return !branchesOf(shape).some(
        (one) =>
          one.$ref !== undefined ||
          speaksForItself(one) ||
          // A list of records.
          (one.items as Json | undefined)?.$ref !== undefined ||
          (one.items as Json | undefined)?.properties !== undefined,
      );
    });
    // An identifier in a query filters by it.
    const places = silent.filter(
      ({ at, name: called }) => !/ query .*/.test(at) || /limit|amount|time/i.test(called),
    );
    expect([...new Set(places.map(({ at }) => at))]).toEqual([]);
  });
});

it('a field of the control plane that is one of a few words is an enum', async () => {
  const fields = everyField(await read('sandbox')).filter(
    ({ name, shape, at }) =>
      WORDED.has(name) && !('properties' in shape) && !/(address|merchant|program) state$/i.test(at),
  );
  const open = fields.filter(({ shape }) =>
    branchesOf(shape).every((one) => one.enum === undefined && one.const === undefined),
  );
  expect(open.map(({ at }) => at)).toEqual([]);
  expect(new Set(fields.map(({ name }) => name))).toEqual(WORDED);
});
