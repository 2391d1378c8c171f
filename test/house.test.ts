// How the sources are laid out: how long a file is, the words that are used for things, and that the mutants fit them.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isStale, MUTANTS } from './mutants/mutants.ts';

const SRC = new URL('../src/', import.meta.url);
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (name: string): string => readFileSync(new URL(name, SRC), 'utf8');

const SHORTEST = 20;
const LONGEST = 500;
/** Files that are as short as they are for a reason. */
const SHORT = new Map([
  ['kit/index.ts', 'an entry of the package'],
  ['client/index.ts', 'an entry of the package'],
  ['client/call.ts', 'the printed types of the client import it'],
  ['model/test-values.ts', 'the values of one page, which clients choose outcomes with'],
  ['kernel/project.ts', 'the one place that knows how deep the sources and the bundle lie'],
]);

/** Words that were ours, and what is said instead. */
const WORDS: Readonly<Record<string, string>> = {
  dialects: 'API versions, or versions',
  generation: 'version',
  generations: 'versions',
  founder: 'seed images',
  founded: 'seeded',
  founding: 'seeding, or seed',
  happenings: 'changes',
  occasions: 'frequency, or times',
  fixture: 'seed document',
  news: 'notices',
  happening: 'change',
  conceal: 'the name of what it does',
  wishes: 'requests, or what is requested',
};
/** Words that no name in the code has in it, and what a name is made of instead. */
const NAMES: Readonly<Record<string, string>> = {
  said: 'what it is: given, message, output',
  told: 'published, delivered, queued',
  tell: 'emit, publish',
  asker: 'question',
  ask: 'request, or what it sends',
  happen: 'applyEvent',
  happenings: 'changes',
  beside: 'what the two have to do with each other',
  wish: 'request, or what is requested',
  wishes: 'requests',
  wished: 'requested',
  conceal: 'secretFor',
  suffer: 'effects',
  fate: 'effects',
  strike: 'hit',
  strikes: 'hits',
  struck: 'decided',
  obstacle: 'error',
  stranger: 'what it lacks: unknown, unlinked',
  forget: 'clear, or remove',
  founded: 'seeded',
  lives: 'states, or transitions',
  rooms: 'modules',
  heard: 'received',
  spell: 'format',
  draft: 'input, or newTransaction',
  lane: 'queue',
  lanes: 'queues',
  holdless: 'opensWithoutHold',
  rehold: 'changeHold',
  unplan: 'cancelPlanned',
  idlers: 'waiters',
  disarm: 'cancelTimer',
  dry: 'isReadToEnd',
  sound: 'valid',
};
/** Where a word has its usual meaning, or is written on a disk or on the wire. */
const ALLOWED = new Map<string, readonly string[]>([
  ['kit/vitest.ts', ['fixture']],
  // A field of what the control plane answers.
  ...['kit/events.ts', 'cli/follow.ts', 'control/events.ts'].map((name) => [name, ['generation']] as const),
  // A field of the control plane, and the number of a disclosure's link.
  ...['clock', 'fields', 'receiver', 'requests', 'stream', 'webhooks'].map(
    (name) => [`control/${name}.ts`, ['generation', 'generations']] as const,
  ),
  // The option --dry-run.
  ['cli/compare.ts', ['dry']],
  // A field of what `doctor --json` prints.
  ['cli/doctor.ts', ['said']],
  ['control/stream-items.ts', ['generation']],
  ['http/disclosures.ts', ['generation']],
  ['model/parts.ts', ['generation']],
  ['bank/holders/business-profiles.ts', ['generation']],
]);

test('a file holds what changes together: 20 to 500 lines', () => {
  const lengths = FILES.map((name) => ({ name, lines: textOf(name).split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > LONGEST)).toEqual([]);
  expect(lengths.filter(({ name, lines }) => lines < SHORTEST && !SHORT.has(name))).toEqual([]);
  expect([...SHORT.keys()].filter((name) => !FILES.includes(name))).toEqual([]);
});

test('one word stands for one thing', () => {
  const old = new RegExp(`\\b(${Object.keys(WORDS).join('|')})\\b`, 'gi');
  const found = FILES.flatMap((name) => {
    const prose = textOf(name)
      // Slugs of decisions, code and names of files.
      .replace(/`[^`\n]*`|'[^'\n]*'|"[^"\n]*"/g, '');
    return [...prose.matchAll(old)]
      .map(([word]) => word.toLowerCase())
      .filter((word) => !ALLOWED.get(name)?.includes(word))
      .map((word) => `${name}: ${word}, better ${WORDS[word]}`);
  });
  expect([...new Set(found)]).toEqual([]);
});

test('a name is made of words of the field', () => {
  const found = FILES.flatMap((name) => {
    const code = textOf(name).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|`[^`\n]*`|'[^'\n]*'|"[^"\n]*"/g, '');
    return [...new Set([name, ...(code.match(/[A-Za-z]\w*/g) ?? [])])].flatMap((identifier) =>
      identifier
        .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
        .map((word) => word.toLowerCase())
        .filter((word) => Object.hasOwn(NAMES, word) && !ALLOWED.get(name)?.includes(word))
        .map((word) => `${name}: ${identifier}, better ${NAMES[word]}`),
    );
  });
  expect([...new Set(found)]).toEqual([]);
});

test('what parses and formats is given values: no bank, no store, no clock, no chance', () => {
  const wire = FILES.filter((name) => name.startsWith('api/') && !name.startsWith('control/'));
  const impure = wire.flatMap((name) => {
    const text = textOf(name);
    const imported = namesFrom(text, /(?:bank\/bank|store\/store|kernel\/sequence|bank\/dependencies)\.ts$/);
    const given = [...text.matchAll(/\b(?:function|const) ((?:parse|format)\w*)[^(;]*\(([^)]*)\)/g)];
    return [
      ...given
        .filter(([, , parameters = '']) =>
          imported.some((type) => new RegExp(`\\b${type}\\b`).test(parameters)),
        )
        .map(([, called]) => `${name}: ${called}`),
      ...[...text.matchAll(/\b(Date\.now|Math\.random|new Date\(\)|process\.\w+)/g)].map(
        ([word]) => `${name}: ${word}`,
      ),
    ];
  });
  expect(impure).toEqual([]);
});

/** The types that act, of those that a file imports from such a module: a `Bank` and not an `Id`. */
function namesFrom(text: string, module: RegExp): string[] {
  return [...text.matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)]
    .filter(([, , from = '']) => module.test(from))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim()))
    .filter((name) => ['Bank', 'Store', 'Sequence', 'Dependencies'].includes(name));
}

test('the text of each mutant stands once in its file', () => {
  const stale = MUTANTS.filter((mutant) => isStale(mutant, textOf(mutant.file.replace(/^src\//, ''))));
  expect(stale.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
