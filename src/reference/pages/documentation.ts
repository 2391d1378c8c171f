/**
 * Writes the pages at /docs: those of the library, of the operations and of the search, and the files for programs.
 */

import { overviewOf, wholeTextOf } from './agents.ts';
import { collectionFile } from './collections/files.ts';
import { escapeHtml, formatDocumentation } from './layout.ts';
import { type Library, readLibrary } from './library.ts';
import { GROUPS } from './lists.ts';
import { sectionsIn } from './markdown.ts';
import { operationPage, type Source } from './page.ts';
import { searchResults } from './search.ts';

/** Reads the OpenAPI document of an operation; `undefined` for an unknown name. */
export type ReadDocument = (name: string) => Promise<Source | undefined>;

/** A page of the search, which also answers the field in the head of every page. */
const SEARCH = 'search.html';
const OPERATION = /^(reference\/(\w+)\/(\w+))\.html$/;
/** Pages that consist of tables and cards need the whole width, and have no list of their sections. */
const WIDE = /^(fidelity|settings|errors|events|index|guides\/libraries|reference\/\w+)$/;

/** The files for programs by name, with the address of the bank that serves them. */
const FILES: Readonly<Record<string, (library: Library, address: string) => Promise<string | Buffer>>> = {
  'llms.txt': overviewOf,
  'llms-full.txt': wholeTextOf,
  'collections/postman.json': (_, address) => collectionFile('postman', address),
  'collections/bruno.zip': (_, address) => collectionFile('bruno', address),
};

/** Writes the page or file of a name; `undefined` if there is none. */
export async function writeDocument(
  name: string,
  address: string,
  query: string,
  read: ReadDocument,
): Promise<string | Buffer | undefined> {
  const library = await readLibrary();
  if (Object.hasOwn(FILES, name)) return FILES[name]?.(library, address);
  if (name.endsWith('.md')) return library.pages.get(name.slice(0, -3))?.text();
  if (name === SEARCH) {
    const results = await searchResults(library, query);
    return layOut(library, SEARCH, 'Search', `<h1>Search</h1>\n<div class="results">${results}</div>`);
  }
  const [, operation = '', document = '', id = ''] = OPERATION.exec(name) ?? [];
  if (id !== '') {
    const source = await read(document);
    const page = source === undefined ? undefined : operationPage(source, id);
    return page && layOut(library, operation, page.title, page.main);
  }
  const key = name.replace(/\.html$/, '');
  const page = name === key ? undefined : library.pages.get(key);
  return page && layOut(library, key, page.title, (await page.html()) + neighbours(library, key));
}

/** The page for a name without a page. */
export async function writeMissing(): Promise<string> {
  const main = '<h1>Page not found</h1>\n<p>Search for it above, or select it in the menu.</p>';
  return layOut(await readLibrary(), '', 'Page not found', main);
}

/** Whether a name is that of a page without its ending. */
export async function isPage(name: string): Promise<boolean> {
  return (await readLibrary()).pages.has(name);
}

function layOut(library: Library, name: string, title: string, main: string): string {
  const sections = WIDE.test(name) ? [] : sectionsIn(main).filter(({ level }) => level > 1);
  const items = sections.map(
    ({ level, id, heading }) => `<li class="level-${level}"><a href="#${id}">${heading}</a></li>`,
  );
  return formatDocumentation(escapeHtml(title), main, {
    menu: menuOf(library, name),
    contents: items.length < 2 ? '' : `<h2>On this page</h2>\n<ul>\n${items.join('\n')}\n</ul>`,
    look: WIDE.test(name) ? `wide ${name.replace('/', ' ')}` : '',
  });
}

/** The menu, in which the group of a page is open. */
function menuOf({ pages, shelves }: Library, current: string): string {
  const isWithin = (name: string): boolean => current === name || current.startsWith(`${name}/`);
  const openShelf = shelves.find(({ names }) => names.some(isWithin)) ?? shelves[0];
  const groups = shelves.map((shelf) => {
    const items = shelf.names.map(
      (name) =>
        `<li>${linkTo(current, name, pages.get(name)?.title ?? '')}${isWithin(name) ? operationsOf(name, current) : ''}</li>`,
    );
    return `<details${shelf === openShelf ? ' open' : ''}><summary>${shelf.title}</summary>\n<ul>\n${items.join('\n')}\n</ul></details>`;
  });
  return `${groups.join('\n')}\n<p><a href="/">Inspector</a></p>`;
}

const linkTo = (current: string, name: string, title: string): string =>
  `<a href="/docs/${name}.html"${current === name ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;

/** The groups of a document, and the operations of the group of the current page. */
function operationsOf(name: string, current: string): string {
  const { groups } = GROUPS.find((one) => name === `reference/${one.name}`) ?? {};
  if (groups === undefined) return '';
  const items = groups.map(({ title, anchor, entries }) => {
    const links = entries.map((entry) => `<li>${linkTo(current, `${name}/${entry.id}`, entry.title)}</li>`);
    const isCurrent = entries.some(({ id }) => current === `${name}/${id}`);
    return `<li><a href="/docs/${name}.html#${anchor}">${escapeHtml(title)}</a>${isCurrent ? `<ul>${links.join('')}</ul>` : ''}</li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

/** Links to the pages before and after a page. */
function neighbours({ pages, shelves }: Library, name: string): string {
  const names = shelves.flatMap((shelf) => shelf.names);
  const at = names.indexOf(name);
  if (at === -1) return '';
  const link = (other: string | undefined, rel: string, words: string): string =>
    other === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="/docs/${other}.html"><small>${words}</small> ${escapeHtml(pages.get(other)?.title ?? '')}</a>`;
  return `<nav class="near" aria-label="Neighbours">${link(names[at - 1], 'prev', 'Previous')}${link(names[at + 1], 'next', 'Next')}</nav>\n`;
}
