/**
 * Checks the names in backquotes in the register against the code: paths, kinds of events, codes of refusals and
 * returns, settings, and all other words. Each comparison is also tested with a wrong name.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { refuse } from '../../../src/bank/kernel/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../../src/bank/kernel/refusals.ts';
import { V1_KINDS, V2_KINDS } from '../../../src/bank/model/facts.ts';
import { REGISTER } from '../../../src/bank/model/fidelity.ts';
import { RETURN_CODES } from '../../../src/bank/model/return-codes.ts';
import { VERIFICATION_REASONS } from '../../../src/bank/model/verification-reasons.ts';
import { formatV1Example, formatV2Example } from '../../../src/reference/openapi/refusals.ts';
import { CONTROL_OPERATIONS } from '../../../src/sandboxes/control/index.ts';
import { SettingsShape } from '../../../src/sandboxes/control/settings.ts';
import { INSPECTOR_PATH } from '../../../src/server/http/inspector.ts';
import { readConfig } from '../../../src/server/process/config.ts';

interface Text {
  readonly slug: string;
  readonly question: string;
  readonly answer: string;
}

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The texts in backquotes, with their row. */
function quoted(rows: readonly Text[]): { slug: string; name: string; answer: string }[] {
  return rows.flatMap(({ slug, question, answer }) =>
    [...`${question} ${answer}`.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ slug, name, answer })),
  );
}

/** A row with only this text. */
const answering = (answer: string): Text[] => [{ slug: 'wrong', question: '', answer }];

// ---- paths ----

const ROUTES = [...V1_OPERATIONS, ...V2_OPERATIONS, ...CONTROL_OPERATIONS].map(({ method, path }) => ({
  method,
  path: path.replaceAll(/:\w+/g, '{}'),
}));

/**
 * Paths without an operation, with their methods; `...` represents any beginning, and a path alone everything below
 * it.
 */
function unknownPaths(rows: readonly Text[]): string[] {
  return quoted(rows).flatMap(({ slug, name }) => {
    const [, method, path = ''] =
      /^(?:([A-Z]+) )?((?:\.\.\.|\/v1|\/v2|\/_sandbox)(?:\/.*)?)$/.exec(name) ?? [];
    // A page, not an operation.
    if (path === '' || path === INSPECTOR_PATH) return [];
    const wanted = path.replaceAll(/\{\w+\}|:\w+/g, '{}');
    const known = ROUTES.some((route) => {
      if (method !== undefined && route.method !== method) return false;
      if (wanted.startsWith('...')) return route.path.endsWith(wanted.slice('...'.length));
      return route.path === wanted || (method === undefined && route.path.startsWith(`${wanted}/`));
    });
    return known ? [] : [`${slug}: ${name}`];
  });
}

// ---- kinds of events ----

const KINDS = [...V1_KINDS, ...V2_KINDS];
const NOUNS = new Set(KINDS.map((kind) => kind.split('.')[0]));
/** A field of a record that looks like a kind. */
const FIELDS = ['person.id'];

/** Names that look like kinds of events but are not; `card.reward.*` represents all with this prefix. */
function unknownKinds(rows: readonly Text[]): string[] {
  return quoted(rows)
    .filter(({ name }) => /^[a-z_]+(\.[a-z_]+)*\.([a-z_]+|\*)$/.test(name) && NOUNS.has(name.split('.')[0]))
    .filter(({ name, answer }) => !FIELDS.includes(name) && !answer.includes(`\`${name}\` is not a kind`))
    .filter(({ name }) =>
      name.endsWith('.*') ? !KINDS.some((kind) => kind.startsWith(name.slice(0, -1))) : !KINDS.includes(name),
    )
    .map(({ slug, name }) => `${slug}: ${name}`);
}

// ---- codes of refusals and returns ----

const CODES = new Set(
  (Object.keys(REFUSALS) as RefusalCode[]).flatMap((code) => [
    ...V1_OPERATIONS.map((operation) => (formatV1Example(refuse(code), operation) as { code: string }).code),
    ...V2_OPERATIONS.map(
      (operation) => (formatV2Example(refuse(code), operation) as { error: { code: string } }).error.code,
    ),
  ]),
);

function unknownCodes(rows: readonly Text[]): string[] {
  return quoted(rows)
    .filter(({ name }) => /^(EC|ERROR_CODE)_\w+$/.test(name) && !CODES.has(name))
    .map(({ slug, name }) => `${slug}: ${name}`);
}

function unknownReturnCodes(rows: readonly Text[]): string[] {
  const known = new Set(RETURN_CODES.map(({ code }) => code));
  return rows.flatMap(({ slug, answer }) =>
    [...answer.matchAll(/\bR\d\d\b/g)].flatMap(([code]) => (known.has(code) ? [] : [`${slug}: ${code}`])),
  );
}

// ---- settings ----

/** Values of variables that the bank refuses. */
function refusedSettings(rows: readonly Text[]): string[] {
  return quoted(rows).flatMap(({ slug, name }) => {
    const [, variable = '', value = ''] = /^(SANDBANK_\w+)=(.+)$/.exec(name) ?? [];
    return variable === '' || !('problems' in readConfig({ [variable]: value })) ? [] : [`${slug}: ${name}`];
  });
}

/** Fields that `PUT /_sandbox/settings` does not have. */
function unknownSwitches(rows: readonly Text[]): string[] {
  return rows.flatMap(({ slug, answer }) =>
    [...answer.matchAll(/`(\w+)` of `PUT \/_sandbox\/settings`/g)].flatMap(([, name = '']) =>
      name in SettingsShape.properties ? [] : [`${slug}: ${name}`],
    ),
  );
}

// ---- every other word ----

/** Names of others: the row says whose they are. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  // A field in an error example of the platform that no body has.
  'mistaken-error-examples': 'card_type',
};

/** The words of the program, without its comments, in lower case. */
const WORDS = new Set(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
    .flatMap((text) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').match(/[\w-]+/g) ?? [])
    .concat(VERIFICATION_REASONS.map(({ code }) => code))
    .map((word) => word.toLowerCase()),
);

/** The program contains the name of a metric without its prefix. */
const wordOf = (name: string): string => name.toLowerCase().replace(/^sandbank_(?=.*_total$)/, '');

const SLUGS = new Set(REGISTER.map(({ slug }) => slug));

/** Words that neither occur in the program nor name a decision. */
function unknownWords(rows: readonly Text[], words: ReadonlySet<string> = WORDS): string[] {
  return quoted(rows)
    .filter(({ name }) => /^[A-Za-z][\w-]*$/.test(name) && !/^(EC|ERROR_CODE|SANDBANK)_/.test(name))
    .filter(({ slug, name }) => !words.has(wordOf(name)) && !SLUGS.has(name) && OF_OTHERS[slug] !== name)
    .map(({ slug, name }) => `${slug}: ${name}`);
}

describe('a name in the register', () => {
  it.each([
    [
      'of a path is that of an operation',
      unknownPaths,
      'Ask `GET /v1/cards`, `POST /v2/attachment/{id}` or `/_sandbox/rul`.',
      3,
    ],
    [
      'of an event is a kind',
      unknownKinds,
      'It tells `card.opened`, `person.kyc.passed` and `account.reward.*`.',
      3,
    ],
    ['of a refusal is a code', unknownCodes, '404 `EC_PERSON_GONE`, 400 `ERROR_CODE_WRONG`.', 2],
    ['of a return is a code of the network', unknownReturnCodes, 'It comes back with R01 or R99.', 1],
    [
      'of a setting comes with a value that it takes',
      refusedSettings,
      'With `SANDBANK_STRICT_FIELDS=hard`.',
      1,
    ],
    [
      'of a switch is in the settings of a sandbox',
      unknownSwitches,
      'See `magic` of `PUT /_sandbox/settings`.',
      1,
    ],
    ['is a word of the program', unknownWords, 'The field `favouriteColour` and the header `sd-color`.', 2],
  ] as const)('%s', (_, wrongIn, example, wrong) => {
    expect(wrongIn(REGISTER)).toEqual([]);
    expect(wrongIn(answering(example))).toHaveLength(wrong);
  });

  it('is marked as a name of others only if the program does not know it', () => {
    for (const [slug, name] of Object.entries(OF_OTHERS)) {
      expect(WORDS.has(name.toLowerCase()), name).toBe(false);
      expect(REGISTER.find((row) => row.slug === slug)?.answer).toContain(`\`${name}\``);
    }
    const all = REGISTER.map(({ answer }) => answer).join(' ');
    for (const name of FIELDS) expect(all).toContain(`\`${name}\``);
  });

  it('belongs to something that the server has', () => {
    expect(
      REGISTER.filter(({ answer }) => /served yet|\bnot yet\b/i.test(answer)).map(({ slug }) => slug),
    ).toEqual([]);
  });
});
