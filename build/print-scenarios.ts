/**
 * Prints the scenario of each operation, `fixtures/scenarios/operations/<operation>.json`, from the operation's
 * example. Scenarios in `given` create the records that an example names. `node build/print-scenarios.ts` writes the
 * files.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AnyOperation, formatExample } from '../src/bank/api/operation.ts';
import { OPERATIONS } from '../src/compare/operations.ts';
import type { CallStep, Scenario } from '../src/compare/scenario.ts';

const FOLDER = new URL('../fixtures/scenarios/operations/', import.meta.url);
const GIVEN = new URL('../fixtures/scenarios/given/', import.meta.url);

/** Operations that close the named record, or change it so that other scenarios could not use it. */
const CHANGES = [
  'v2_replace_card',
  'replaceCard',
  'v2_sub_ledger_transaction',
  'testCard',
  'submitPersonKyc',
];
/** Calls without a person. */
const WITHOUT_PERSON =
  /^\/v1\/(webhook|auth)|^\/v1\/person$|\/show$|\/pin$|\/debitcard$|\/naicscode$|\/bank$/;
/** Replacements for values that only seeded records have. */
const INSTEAD: Readonly<Record<string, string>> = { birch: 'alder', '2026-11-25': '{today}' };
/** Names of records in v2 that differ from v1. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  account_id: 'sub_account_id',
  card_id: 'virtual_card_id',
  inactive_card_id: 'physical_card_id',
};
/** Names that are defined in every run. */
const COMMON: Readonly<Record<string, string>> = {
  statement_year: 'this_year',
  statement_month: 'this_month',
  // Plaid creates them, which no scenario calls: both sides refuse the mark of the run.
  processor_token: 'run',
};

interface GivenScenario extends Scenario {
  readonly name: string;
}

const readGiven = (name: string): GivenScenario =>
  JSON.parse(readFileSync(new URL(name, GIVEN), 'utf8')) as GivenScenario;

const GIVENS = readdirSync(GIVEN).map(readGiven);

/** The scenario in `given` that captures a name. */
function maker(name: string, version: string): string {
  const makers = GIVENS.filter(({ steps }) =>
    steps.some((step) => 'keep' in step && step.keep !== undefined && name in step.keep),
  );
  const found = makers.find((one) => one.name.startsWith(version)) ?? makers[0];
  if (found === undefined) throw new Error(`no scenario in fixtures/scenarios/given captures ${name}`);
  return found.name;
}

function scenarioOf(operation: AnyOperation): Scenario {
  const version = operation.path.slice(1, 3);
  const names = new Set<string>();
  const call = formatExample(operation, {
    seed(name) {
      const own = COMMON[name] ?? (version === 'v2' ? (OTHER_NAMES[name] ?? name) : name);
      if (COMMON[name] === undefined) names.add(own);
      return `{${own}}`;
    },
  });
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => call.params[name] ?? '');
  const targets = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const isByPerson = version === 'v1' && !WITHOUT_PERSON.test(operation.path);
  if (isByPerson) names.add('person_id');
  const headers = { ...(isByPerson && { 'sd-person-id': '{person_id}' }), ...call.headers };
  const changes = ['PATCH', 'DELETE', 'PUT'].includes(operation.method) || CHANGES.includes(operation.id);
  const own = new Set(
    [...names]
      .filter((name) => name === 'debit_card_token' || (changes && isOwn(name, targets, operation)))
      .map((name) => maker(name, version)),
  );
  const given = new Set([...names].map((name) => maker(name, version)).filter((name) => !own.has(name)));
  const step: CallStep = {
    request: `${operation.method} ${path}`,
    ...(Object.keys(call.query).length > 0 && { query: replaced(withoutEmpty(call.query)) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(call.body !== undefined && { body: marked(operation, replaced(call.body)) }),
    ...(call.files !== undefined && { files: call.files }),
  };
  return {
    name: operation.id,
    about: `One call of ${operation.id}, as its example has it.`,
    ...(given.size > 0 && { given: [...given] }),
    ...(own.size > 0 && { own: [...own] }),
    steps: [step],
  };
}

/**
 * Whether a record needs its own scenario: the last record in the path is changed, and a token belongs to its record.
 */
function isOwn(name: string, targets: ReadonlySet<string>, { id }: AnyOperation): boolean {
  if (id === 'v2_sub_ledger_transaction') return name === 'unallocated_transaction_id';
  const last = [...targets].at(-1);
  return name === last || name.startsWith('inactive_card');
}

const withoutEmpty = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

/** Replaces values that only seeded records have. */
function replaced<T>(value: T): T {
  const write = (part: unknown): unknown => {
    if (typeof part === 'string') return INSTEAD[part] ?? part;
    if (Array.isArray(part)) return part.map(write);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, write(inner)]));
  };
  return write(value) as T;
}

/** Adds the mark of the run to a body, so that the record can be found. */
function marked({ method }: AnyOperation, body: Record<string, unknown>): Record<string, unknown> {
  if (method !== 'POST') return body;
  const mark: Record<string, unknown> = {};
  if ('external_reference_id' in body) mark.external_reference_id = '{run}';
  if (typeof body.metadata === 'object') mark.metadata = { ...body.metadata, compare: '{run}' };
  const text = ['description', 'label'].find((name) => typeof body[name] === 'string');
  if (Object.keys(mark).length === 0 && text !== undefined) mark[text] = `${body[text]} {run}`;
  return { ...body, ...mark };
}

/** The expected files by name. */
export function operationScenarios(): ReadonlyMap<string, string> {
  return new Map(
    OPERATIONS.map((operation) => [
      `${operation.id}.json`,
      `${JSON.stringify(scenarioOf(operation), null, 2)}\n`,
    ]),
  );
}

if (import.meta.main) {
  const files = operationScenarios();
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(FOLDER)) if (!files.has(name)) rmSync(new URL(name, FOLDER));
  for (const [name, text] of files) writeFileSync(new URL(name, FOLDER), text);
}
