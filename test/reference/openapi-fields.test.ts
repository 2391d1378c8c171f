/**
 * The fields in the OpenAPI documents: every named shape has a description, every field has one that adds information
 * to its name, with its unit or its format if it has one; every fixed set of words in the control plane is an enum,
 * and client generators can read every enum.
 */
import { describe, expect, it } from 'vitest';
import { useHttp } from '../server/http/support.ts';
import { wholeDocument } from '../support/whole-document.ts';

const http = useHttp();

type Json = Record<string, unknown>;
interface Field {
  /** Where it was found first. */
  readonly at: string;
  readonly name: string;
  readonly shape: Json;
}

const DOCUMENTS = ['v2', 'v1', 'sandbox'] as const;

/** Units by the names of fields, and how the description has to name the unit. */
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

/** Fields of the control plane that are always enums. */
const WORDED = new Set([
  'api_version',
  'state',
  'direction',
  'side',
  'mode',
  'evidence',
  'area',
  'connection',
  'when',
  'decided_by',
  'source',
  'class',
  'returned_by',
]);

/** Words that add nothing to the name of a field. */
const EMPTY_WORDS = new Set('a an the of its their it is in to for this that record value field'.split(' '));

/** The words of a name or a sentence, without their endings. */
const stemsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !EMPTY_WORDS.has(word))
    .map((word) => word.replace(/s$/, ''));

/** Whether a description has no word besides those of the name. */
const repeatsName = ({ name, shape }: Field): boolean => {
  const known = new Set(stemsOf(name));
  return stemsOf(descriptionOf(shape)).every((word) => known.has(word));
};

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
  wholeDocument((await http.call('GET', `/openapi/${name}.json`)).body as Document);

/** Every schema of a document that others do not refer to by name, and those with a name. */
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

/** Every field of a schema, without those of the schemas that it refers to. */
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
      .filter((one) => one.in !== 'header')
      .map(({ in: place, name, schema, description }) => ({
        at: `${operationId} ${place} ${name}`,
        name,
        shape: { ...schema, ...(description !== undefined && { description }) },
      })),
  );
  const inShapes = [...shapesOf(document)].flatMap(([at, shape]) => [...fieldsOf(at, shape)]);
  return [...inShapes, ...inQuery];
}

/** The schema, or its type other than null. */
const branchesOf = (shape: Json): Json[] => [shape, ...((shape.anyOf as Json[] | undefined) ?? [])];
const descriptionOf = (shape: Json): string =>
  branchesOf(shape)
    .map(({ description = '' }) => description)
    .join(' ');

describe.each(DOCUMENTS)('a field of %s', (name) => {
  it('has a schema that describes its meaning', async () => {
    const { components } = await read(name);
    const silent = Object.entries(components.schemas).filter(
      ([, { description }]) => typeof description !== 'string',
    );
    expect(silent.map(([title]) => title)).toEqual([]);
  });

  it('has a unit, if it is an amount, a time, a duration, a share or a position', async () => {
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

  it('has a description that does not only repeat its name', async () => {
    const fields = everyField(await read(name));
    const silent = fields.filter(({ shape }) => String(shape.description ?? '').trim() === '');
    expect([...new Set(silent.map(({ at }) => at))]).toEqual([]);
    const repeating = fields.filter(repeatsName).map(({ at, shape }) => `${at}: ${descriptionOf(shape)}`);
    expect([...new Set(repeating)]).toEqual([]);
    expect(fields.length).toBeGreaterThan(1400);
  });

  it('has an enum of strings only, without null', async () => {
    const enums = shapesIn(await read(name)).flatMap(({ enum: words }) =>
      words === undefined ? [] : [words],
    );
    expect(enums.length).toBeGreaterThan(50);
    expect(enums.filter((words) => (words as unknown[]).some((word) => typeof word !== 'string'))).toEqual(
      [],
    );
  });

  it('has a format, if it is a time, a date, an email address or a URL', async () => {
    const fields = everyField(await read(name));
    const wrong = fields.flatMap(({ at, shape }) => {
      const [, format] = FORMS.find(([like]) => like.test(descriptionOf(shape))) ?? [];
      const formats = branchesOf(shape).flatMap((one) => (one.format === undefined ? [] : [one.format]));
      if (format === undefined || !isText(shape)) return [];
      return formats.includes(format) ? [] : [`${at}: ${descriptionOf(shape)}`];
    });
    expect([...new Set(wrong)]).toEqual([]);
  });

  it('that may be empty and has a format is a union with the empty string', async () => {
    const fields = everyField(await read(name)).filter(({ shape }) =>
      branchesOf(shape).some(({ format }) => format !== undefined && format !== 'binary'),
    );
    const mayBeEmpty = fields.filter(({ shape }) =>
      /""/.test(descriptionOf(shape).replace(/like ".*?"/, '')),
    );
    expect(
      mayBeEmpty
        .filter(({ shape }) => !branchesOf(shape).some((one) => one.const === ''))
        .map(({ at }) => at),
    ).toEqual([]);
    expect(fields.length).toBeGreaterThan(20);
  });
});

/** The form of a text in a description, and the corresponding format. */
const FORMS: readonly (readonly [words: RegExp, format: string])[] = [
  [/^(an )?ISO 8601 in UTC/i, 'date-time'],
  [/^(a date, )?YYYY-MM-DD[.;]/i, 'date'],
  [/^(an )?email address, like/i, 'email'],
];

const isText = (shape: Json): boolean =>
  branchesOf(shape).some(({ type }) => [type].flat().includes('string'));

/** Every schema anywhere in a document. */
function shapesIn(part: unknown): Json[] {
  if (part === null || typeof part !== 'object') return [];
  if (Array.isArray(part)) return part.flatMap(shapesIn);
  return [part as Json, ...Object.values(part).flatMap(shapesIn)];
}

it('of the control plane with few values is an enum', async () => {
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
