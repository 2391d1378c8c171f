/** The values: some match a shape, others nearly do. */
import fc from 'fast-check';
import { type Document, type Json, type Known, resolve } from './documents.ts';

const DEEPEST = 6;
const LONG = 5_000;
/** A call waits as long as they say. */
const WAITING_FIELDS = new Set(['deadline_ms']);
const LONGEST_WAIT_MS = 1_000;
const patterns = new Map<string, fc.Arbitrary<string> | null>();

/** Texts of a pattern; `null` if none can be generated. */
function ofPattern(pattern: string): fc.Arbitrary<string> | null {
  let arbitrary = patterns.get(pattern);
  if (arbitrary === undefined) {
    try {
      arbitrary = fc.stringMatching(new RegExp(pattern), { size: 'small' });
    } catch {
      arbitrary = null;
    }
    patterns.set(pattern, arbitrary);
  }
  return arbitrary;
}

const USUAL = fc.oneof(
  fc.constantFrom('2026-03-02', '2026-03-02T10:00:00Z', '100', '12.34', '0.01', 'active', 'one', '1', 'true'),
  fc.string({ maxLength: 20 }),
);

/** Values of a shape, from the examples of the field's name if there are some. */
export function fitting(
  document: Document,
  raw: Json,
  known: Known,
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const schema = resolve(document, raw) as Json & Record<string, never>;
  const inner = (of: Json, field = name) => fitting(document, of, known, field, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const either = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (either !== undefined) return fc.oneof(...either.map((of) => inner(of)));
  const all = schema.allOf as Json[] | undefined;
  if (all !== undefined) {
    return fc.tuple(...all.map((of) => inner(of))).map((parts) => Object.assign({}, ...(parts as Json[])));
  }
  const type = ([schema.type].flat() as unknown[])[0] ?? 'string';
  const {
    minimum = 0,
    maximum = 100_000,
    minItems = 0,
    properties = {},
    required = [],
  } = schema as {
    minimum?: number;
    maximum?: number;
    minItems?: number;
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'number') return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
  if (type === 'integer') {
    const least = Math.ceil(minimum);
    const most = WAITING_FIELDS.has(name) ? LONGEST_WAIT_MS : Math.floor(maximum);
    return fc.integer({ min: least, max: Math.max(least, most) });
  }
  if (type === 'array') {
    if (depth > DEEPEST) return fc.constant([]);
    return fc.array(inner((schema.items ?? {}) as Json), { minLength: minItems, maxLength: minItems + 2 });
  }
  if (type === 'object') {
    const fields = Object.entries(properties).filter(
      ([field]) => depth <= DEEPEST || required.includes(field),
    );
    const model = Object.fromEntries(fields.map(([field, of]) => [field, inner(of, field)]));
    return fc.record(model, {
      requiredKeys: required.filter((field) => field in model),
      noNullPrototype: true,
    });
  }
  const {
    pattern,
    minLength = 0,
    maxLength = 40,
  } = schema as {
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  const free = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
  const drawn = (pattern === undefined ? null : ofPattern(pattern)) ?? fc.oneof(USUAL, free);
  const examples = known.byField.get(name)?.filter((value) => typeof value === 'string') ?? [];
  if (examples.length === 0) return drawn;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: drawn });
}

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values that hardly any field accepts. */
export const STRANGE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e21,
    -1e308,
    Number.MAX_SAFE_INTEGER,
    '9'.repeat(40),
    '-0',
    '1e400',
    'NaN',
    '0x10',
    '１２３',
    true,
    [],
    {},
    [null],
    ['', ''],
    '\u0000',
    'a\u0000b',
    '\u0007\u001b[31m',
    '\r\nx-odd: 1',
    '\ud800',
    '\u202eabc',
    '🏦'.repeat(50),
    "' or 1=1 --",
    '%00%2f..%2f',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    '2026-02-30',
    '9999-12-31',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '275761-01-01',
    '0000-01-01',
    'PT1H',
    'P99999999Y',
    '(a+)+$',
  ),
  fc.integer({ min: 500, max: LONG }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 10, max: 400 }).map(nested),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.double({ noNaN: true }).filter(Number.isFinite),
  fc.bigInt({ min: 0n, max: 2n ** 80n }).map(String),
  fc.jsonValue({ maxDepth: 3 }),
);

type Place = readonly (string | number)[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([field, held]) => placesIn(held, [...at, field]))];
}

/** The value with one field changed, emptied, removed or added. */
export function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(value);
  const place = fc.nat(places.length - 1).map((index) => places[index] ?? []);
  return fc
    .tuple(place, STRANGE, fc.constantFrom('set', 'set', 'set', 'drop', 'extra', 'wrap', 'text'))
    .map(([at, strange, how]) => {
      const root = { root: structuredClone(value) } as Json;
      let holder = root;
      const path = ['root', ...at];
      for (const part of path.slice(0, -1)) holder = holder[part] as Json;
      const last = path.at(-1) ?? 'root';
      const old = holder[last];
      if (how === 'drop' && path.length > 1) {
        if (Array.isArray(holder)) holder.splice(Number(last), 1);
        else delete holder[last];
      } else if (how === 'extra' && typeof old === 'object' && old !== null)
        (old as Json).unheard_of = strange;
      else if (how === 'wrap') holder[last] = [old];
      else if (how === 'text') holder[last] = typeof old === 'string' ? Number(old) || 0 : String(old);
      else holder[last] = strange;
      return root.root;
    });
}
