/**
 * The pages of the documentation: the Markdown files of docs/ that the menu lists, and the pages that are made from
 * the operations. Each is rendered when it is first requested, so there is nothing to build, and a change of a file
 * shows after a restart.
 */
import { posix } from 'node:path';
import { projectFilesIn, readServedFile } from '../../bank/kernel/project.ts';
import { GROUPS, listOf, listText } from './lists.ts';
import { errorsPage, eventsPage } from './lookups.ts';
import { renderMarkdown } from './markdown.ts';

/** The folder of the pages, their pictures, their style sheet and their script. */
const FOLDER = 'docs/';

/** A page. */
export interface LibraryPage {
  readonly title: string;
  /** The Markdown, for agents. */
  text(): Promise<string>;
  /** The content as HTML. */
  html(): Promise<string>;
}

/** A part of the menu with the names of its pages. */
interface Shelf {
  readonly title: string;
  readonly names: readonly string[];
}

/** All pages by name, like `guides/test`, and the menu. */
export interface Library {
  readonly pages: ReadonlyMap<string, LibraryPage>;
  readonly shelves: readonly Shelf[];
}

/** The front page, which is not in the menu. */
export const HOME = 'index';

/** The menu. `recipes/*` stands for all recipes, in the order of their file names. */
const SHELVES: readonly Shelf[] = [
  {
    title: 'Guides',
    names: [
      'guides/first-steps',
      'guides/develop',
      'guides/test',
      'guides/inspector',
      'guides/docker',
      'guides/cluster',
      'guides/seed',
      'guides/tls',
      'guides/fixed-address',
      'guides/metrics',
      'guides/traces',
      'guides/github-actions',
      'guides/collections',
      'guides/webhook-signatures',
      'guides/pagination',
      'guides/idempotency',
      'guides/share',
      'guides/generate-client',
      'guides/libraries',
      'guides/compare',
    ],
  },
  { title: 'In other languages', names: ['guides/python', 'guides/java', 'guides/go'] },
  { title: 'Recipes', names: ['recipes/*'] },
  { title: 'Reference', names: GROUPS.map(({ name }) => `reference/${name}`) },
  {
    title: 'Look up',
    names: [
      'test-values',
      'errors',
      'events',
      'cli',
      'settings',
      'control-plane',
      'rails',
      'fidelity',
      'performance',
      'versioning',
      'glossary',
    ],
  },
];

let library: Promise<Library> | undefined;

/** The library, read at the first call. */
export function readLibrary(): Promise<Library> {
  library ??= readAll();
  return library;
}

async function readAll(): Promise<Library> {
  const files = projectFilesIn(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
  const shelves = SHELVES.map(({ title, names }) => ({
    title,
    names: names.flatMap((name) =>
      name.endsWith('/*') ? files.filter((file) => file.startsWith(name.slice(0, -1))) : [name],
    ),
  }));
  const made = new Map<string, LibraryPage>([
    ...GROUPS.map(({ name, title }): [string, LibraryPage] => [
      `reference/${name}`,
      { title, text: async () => listText(name), html: async () => listOf(name) },
    ]),
    [
      'errors',
      pageOf(
        'Errors',
        once(async () => errorsPage()),
      ),
    ],
    ['events', pageOf('Events', once(eventsPage))],
  ]);
  const names = new Set([HOME, ...shelves.flatMap((shelf) => shelf.names)]);
  const read = [...names].map(async (name): Promise<[string, LibraryPage]> => {
    const page = made.get(name);
    if (page !== undefined) return [name, page];
    const file = await readServedFile(`${FOLDER}${name}.md`);
    if (file === undefined) throw new Error(`the menu lists ${FOLDER}${name}.md, which does not exist`);
    const text = withoutDeadLinks(file.toString('utf8'), name, names);
    return [name, pageOf(titleIn(text), async () => text)];
  });
  return { pages: new Map(await Promise.all(read)), shelves };
}

const pageOf = (title: string, text: () => Promise<string>): LibraryPage => ({
  title,
  text,
  html: once(async () => renderMarkdown(await text())),
});

/** A function that runs once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const titleIn = (text: string): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';

/** A link to the bank at its default address is a link to the bank that serves the page. */
const LINK_TO_BANK = /\]\(http:\/\/127\.0\.0\.1:4800(\/(?:openapi|docs)\/[^)\s]*)\)/g;

/** Replaces links to other servers, and to files that are not served, by their words: they would be dead. */
function withoutDeadLinks(text: string, name: string, names: ReadonlySet<string>): string {
  const isServed = (path: string): boolean => {
    if (path.startsWith('/')) return true;
    const target = posix.join(posix.dirname(name), path);
    return target.startsWith('pictures/') || (target.endsWith('.md') && names.has(target.slice(0, -3)));
  };
  return text
    .replaceAll(LINK_TO_BANK, ']($1)')
    .replaceAll(/\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (link, words: string, path: string) =>
      isServed(path) ? link : words,
    );
}
