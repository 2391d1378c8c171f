/**
 * The search of the documentation: every section of every page. The index is made at the first search.
 */
import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { escapeHtml, textIn } from './layout.ts';
import { HOME, type Library } from './library.ts';
import { sectionsIn } from './markdown.ts';

const MOST_RESULTS = 20;
const REFERENCE = /^reference\/\w+$/;

interface Found {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
}

async function indexOf({ pages }: Library): Promise<MiniSearch> {
  const index = new MiniSearch({ fields: ['heading', 'page', 'text'], storeFields: ['page', 'heading'] });
  for (const [name, page] of pages) {
    if (name === HOME) continue;
    // Other requests are answered in between.
    await setImmediate();
    for (const { id, level, heading, body } of sectionsIn(await page.html())) {
      const isOperation = REFERENCE.test(name) && level === 3;
      index.add({
        id: isOperation ? `/docs/${name}/${id}.html` : `/docs/${name}.html${level === 1 ? '' : `#${id}`}`,
        page: level === 1 ? '' : page.title,
        heading: textIn(heading),
        text: textIn(body),
      });
    }
  }
  return index;
}

let index: Promise<MiniSearch> | undefined;

/** The results of a search as a list of links. */
export async function searchResults(library: Library, query: string): Promise<string> {
  if (query.trim() === '') return '';
  index ??= indexOf(library);
  const found = (await index).search(query, {
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { heading: 4, page: 2 },
  }) as unknown as Found[];
  if (found.length === 0) return `<p>No page contains ${escapeHtml(query)}.</p>`;
  const items = found
    .slice(0, MOST_RESULTS)
    .map(
      ({ id, page, heading }) =>
        `<li><a href="${id}">${page === '' ? '' : `<small>${escapeHtml(page)}</small> `}<span>${escapeHtml(heading)}</span></a></li>`,
    );
  return `<ul class="found">${items.join('')}</ul>`;
}
