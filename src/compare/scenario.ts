/**
 * A scenario is a small document with the requests for one operation or for the life cycle of a record.
 * `fixtures/scenarios` contains them, and users can write their own. A text in a request can contain a captured value
 * in braces, `{transaction}`; `{run}` is the mark of the run, which every created record has, `{digits}` are eight
 * unique digits, and `{today}` is the date. A scenario may only call paths below /v1 and /v2.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const Fields = Type.Record(Type.String(), Type.String());
const Request = Type.String({
  pattern: '^(GET|POST|PUT|PATCH|DELETE) /v[12]/\\S+$',
  description: 'Method and path: "GET /v2/webhook/{webhook}".',
});
const Within = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Maximum wait in real seconds; default: --patience.' }),
);
const Files = Type.Record(
  Type.String(),
  Type.Object({ contentType: Type.String(), base64: Type.String() }, { additionalProperties: false }),
);

const closed = { additionalProperties: false };

const CallStep = Type.Object(
  {
    request: Request,
    query: Type.Optional(Fields),
    headers: Type.Optional(Fields),
    body: Type.Optional(Type.Unknown()),
    files: Type.Optional(Files),
    /** Captured values by name, each with its path in the response: `data.0.id`. */
    keep: Type.Optional(Fields),
    /** Paths of the response that are not compared: `data[].url`. */
    ignore: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);
const WaitStep = Type.Object(
  {
    /** A GET that is repeated until a field has one of these values. */
    wait: Type.String({ pattern: '^GET /v[12]/\\S+$' }),
    headers: Type.Optional(Fields),
    field: Type.String(),
    is: Type.Array(Type.String(), { minItems: 1 }),
    within: Within,
    keep: Type.Optional(Fields),
    ignore: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);
const EventStep = Type.Object(
  {
    /** A kind of event that must be received for a record. */
    event: Type.String({ minLength: 1 }),
    of: Type.String({ minLength: 1 }),
    within: Within,
  },
  closed,
);
const Step = Type.Union([CallStep, WaitStep, EventStep]);
const Steps = Type.Array(Step, { minItems: 1 });

const ScenarioDocument = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' }),
    about: Type.String({ minLength: 1 }),
    /** Scenarios whose captured values this one uses. Each runs once and is shared. */
    given: Type.Optional(Type.Array(Type.String())),
    /** The same, but run separately for this scenario, because it changes their records. */
    own: Type.Optional(Type.Array(Type.String())),
    /** Whether it waits for every payment of its accounts, so that balances and states are compared too. */
    steady: Type.Optional(Type.Boolean()),
    steps: Steps,
    /** With --read-only, GET requests for existing records instead of creating them. */
    find: Type.Optional(Steps),
  },
  closed,
);

export type CallStep = Static<typeof CallStep>;
export type WaitStep = Static<typeof WaitStep>;
export type EventStep = Static<typeof EventStep>;
export type Step = Static<typeof Step>;
export type Scenario = Static<typeof ScenarioDocument>;

/** Captured values by name. */
export type Captured = Readonly<Record<string, string>>;

export class ScenarioError extends Error {}

/** Reads a scenario. Throws a `ScenarioError` that names the file and the place. */
export function parseScenario(document: unknown, file: string): Scenario {
  if (Value.Check(ScenarioDocument, document)) return document;
  const places = [...Value.Errors(ScenarioDocument, document)].slice(0, 3);
  const problems = places.map(({ path, message }) => `${path || 'the document'}: ${message}`);
  throw new ScenarioError(
    `${file} is not a valid scenario: ${problems.join('; ')}. A step has "request", "wait" or "event"; a request is like "GET /v2/webhook", below /v1 or /v2`,
  );
}

/** The method and the path of a step that sends a request. */
export function callOf(step: CallStep | WaitStep): { method: string; path: string } {
  const [method = '', path = ''] = ('request' in step ? step.request : step.wait).split(' ');
  return { method, path };
}

export function isEventStep(step: Step): step is EventStep {
  return 'event' in step;
}

export function isWaitStep(step: Step): step is WaitStep {
  return 'wait' in step;
}

const NAME = /\{([a-z][a-z0-9_]*)\}/g;

/** The names in braces in a value. */
export function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value ?? null).matchAll(NAME)].map(([, name = '']) => name);
}

/** Replaces names by captured values; unknown names are kept. */
export function fill<T>(value: T, captured: Captured): T {
  const write = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(NAME, (whole, name: string) => captured[name] ?? whole);
    if (Array.isArray(part)) return part.map(write);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, write(inner)]));
  };
  return write(value) as T;
}

/** The value at a path such as `data.0.id`; `undefined` if there is none. */
export function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      body,
    );
}
