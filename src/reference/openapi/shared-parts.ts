/**
 * A document as it is served: responses that several operations have in common, the headers of events and the decisions
 * stand once, and operations refer to them. The pages of the reference print the whole document. The parameters of
 * operations stay in their places, because programs that print forms read them there.
 */
import { type Json, mapValues } from './schemas.ts';

/** How often each part occurs, by its text. */
type Counts = Map<string, number>;

/** Parts of one section of `components`, by their texts. */
class Section {
  readonly parts: Json = {};
  readonly #names = new Map<string, string>();
  readonly #section: string;
  readonly #counts: Counts;

  constructor(section: string, parts: readonly Json[]) {
    this.#section = section;
    this.#counts = new Map();
    for (const text of parts.map((part) => JSON.stringify(part)))
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** A reference to a part that occurs more than once; another part itself. */
  refer(part: Json, base: string): Json {
    const text = JSON.stringify(part);
    if (this.#counts.get(text) === 1) return part;
    const name = this.#names.get(text) ?? this.#add(text, part, base);
    return { $ref: `#/components/${this.#section}/${name}` };
  }

  #add(text: string, part: Json, base: string): string {
    let name = base;
    for (let number = 2; this.parts[name] !== undefined; number += 1) name = `${base}_${number}`;
    this.parts[name] = part;
    this.#names.set(text, name);
    return name;
  }
}

/** Replaces equal parts by references. A refusal has one example for each code, method and status. */
export function shareParts(document: Json): Json {
  const { paths, webhooks, components } = document as Record<string, Json>;
  const { responses: named, examples, ...others } = components as Record<string, Json>;
  const shown = firstAlike((examples ?? {}) as Record<string, Json>);
  const withExamples = mapOperations(paths ?? {}, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses as Json, (one) => referToFirst(one as Json, shown)),
  }));
  const events = operationsOf(webhooks ?? {});
  const headers = new Section(
    'parameters',
    events.flatMap(({ parameters }) => parameters as Json[]),
  );
  const responses = new Section(
    'responses',
    [...operationsOf(withExamples), ...events].flatMap(
      (one) => Object.values(one.responses as Json) as Json[],
    ),
  );
  const decisions: Json = {};
  const share = (operation: Json): Json => ({
    ...operation,
    responses: mapValues(operation.responses as Json, (one, status) =>
      (one as Json).$ref === undefined ? responses.refer(one as Json, `Status${status}`) : one,
    ),
    ...(operation['x-decisions'] !== undefined && {
      'x-decisions': (operation['x-decisions'] as Json[]).map(({ slug, ...decision }) => {
        decisions[String(slug)] = decision;
        return slug;
      }),
    }),
  });
  return {
    ...document,
    paths: mapOperations(withExamples, share),
    ...(webhooks !== undefined && {
      webhooks: mapOperations(webhooks, ({ parameters, ...event }) =>
        share({
          ...event,
          parameters: (parameters as Json[]).map((one) => headers.refer(one, String(one.name))),
        }),
      ),
    }),
    components: {
      ...others,
      ...(webhooks !== undefined && { parameters: headers.parts }),
      responses: { ...named, ...responses.parts },
      examples: Object.fromEntries(
        Object.entries(examples ?? {}).filter(([name]) => shown.get(name) === name),
      ),
    },
    'x-decisions': decisions,
  };
}

/** The names of all examples, each with the name of the first that has its code, method and status. */
function firstAlike(examples: Readonly<Record<string, Json>>): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  const nameOf = (name: string, { value }: Json): string => {
    const [code] = name.split('.', 1);
    const { method, status } = value as Json;
    const alike = JSON.stringify([code, method, status]);
    const first = firsts.get(alike) ?? name;
    firsts.set(alike, first);
    return first;
  };
  return new Map(Object.entries(examples).map(([name, example]) => [name, nameOf(name, example)]));
}

const EXAMPLES = '#/components/examples/';

/** A response whose examples are the first of their kind. */
function referToFirst(response: Json, shown: ReadonlyMap<string, string>): Json {
  const { content } = response as { content?: Record<string, Json> };
  if (content === undefined) return response;
  const firsts = (examples: Json): Json =>
    mapValues(examples, (example) => {
      const name = String((example as Json).$ref).slice(EXAMPLES.length);
      return { $ref: `${EXAMPLES}${shown.get(name) ?? name}` };
    });
  const media = mapValues(content, (one) => {
    const { examples } = one as Json;
    return examples === undefined ? one : { ...(one as Json), examples: firsts(examples as Json) };
  });
  return { ...response, content: media };
}

function operationsOf(paths: Json): Json[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods as Json) as Json[]);
}

function mapOperations(paths: Json, change: (operation: Json) => Json): Json {
  return mapValues(paths, (methods) => mapValues(methods as Json, (operation) => change(operation as Json)));
}
