// Makes dist/site: the pages for people at /docs, which need no network. The guides and the pages of docs/ are written
// in Markdown and rendered here; the reference is Swagger UI over the documents that the running server prints.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { marked } from 'marked';

const require = createRequire(import.meta.url);
const ROOT = new URL('../', import.meta.url);
const OUT = new URL('dist/site/', ROOT);

/** What the front page lists, in its order: the Markdown files with a line that says for whom. */
const SHELVES = [
  { title: 'Guides', folder: 'docs/guides/' },
  { title: 'Recipes', folder: 'docs/recipes/' },
  {
    title: 'Look up',
    folder: 'docs/',
    files: ['cli.md', 'control-plane.md', 'fidelity.md', 'rails.md', 'architecture.md'],
  },
];

const REFERENCES = [
  ['v2', 'v2', 'The second generation of the interface'],
  ['v1', 'v1', 'The first generation of the interface'],
  ['sandbox', 'Control plane', 'Clock, simulation, snapshots, faults: what only this bank can do'],
];

const template = readFileSync(new URL('page.html', import.meta.url), 'utf8');
const fill = (values) => template.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
const quote = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|[^\w\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');

const renderer = {
  heading({ tokens, depth, text }) {
    return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  },
  // A page of the folder is a page of the site; anything else stays as it is.
  link({ href, tokens }) {
    const page = /^(?:\.\.?\/)*(?:guides\/|recipes\/|docs\/)*([\w-]+)\.md(#.*)?$/.exec(href);
    const to = page === null ? href : `${page[1]}.html${page[2] ?? ''}`;
    return `<a href="${quote(to)}">${this.parser.parseInline(tokens)}</a>`;
  },
};
marked.use({ renderer });

function filesOf({ folder, files }) {
  const names = files ?? listed(new URL(folder, ROOT));
  return names.map((name) => ({ name, path: new URL(folder + name, ROOT) }));
}

function listed(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return [];
  }
}

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1] ?? '';
/** The first sentence below the title. */
const leadOf = (text) =>
  /^# .+\n+([^#|`-][\s\S]*?[.:])(?=\s)/m.exec(text)?.[1].replace(/:$/, '.').replaceAll('\n', ' ') ?? '';

/** Makes the pages; answers how many. */
export function buildSite() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const swagger = require.resolve('swagger-ui-dist/package.json').replace(/package\.json$/, '');
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) cpSync(swagger + name, new URL(name, OUT));
  for (const name of ['style.css', 'reference.js'])
    cpSync(new URL(name, import.meta.url), new URL(name, OUT));

  const shelves = SHELVES.map((shelf) => {
    const pages = filesOf(shelf).map(({ name, path }) => {
      const text = readFileSync(path, 'utf8');
      const page = `${name.replace(/\.md$/, '')}.html`;
      writeFileSync(
        new URL(page, OUT),
        fill({ title: quote(titleOf(text)), main: `<main class="text">${marked.parse(text)}</main>` }),
      );
      return { page, title: titleOf(text), lead: leadOf(text) };
    });
    return { title: shelf.title, pages };
  });
  for (const [name, title] of REFERENCES) {
    writeFileSync(
      new URL(`${name}.html`, OUT),
      fill({
        title: `${title} reference`,
        head: '<link rel="stylesheet" href="swagger-ui.css">',
        main: `<main class="reference"><div id="reference" data-document="../openapi/${name}.json"></div></main>
<script src="swagger-ui-bundle.js"></script><script src="reference.js"></script>`,
      }),
    );
  }
  writeFileSync(new URL('index.html', OUT), fill({ title: 'Documents', main: front(shelves) }));
  return readdirSync(OUT).length;
}

function front(shelves) {
  const references = REFERENCES.map(([name, title, lead]) =>
    card(`${name}.html`, `${title} reference`, lead),
  );
  const rest = shelves
    .filter(({ pages }) => pages.length > 0)
    .map(
      ({ title, pages }) =>
        `<h2>${title}</h2><div class="cards">${pages.map((p) => card(p.page, p.title, p.lead)).join('')}</div>`,
    );
  return `<main class="front"><h1>A local bank</h1>
<p class="lead">Everything here is served by this bank and works without a network. The reference calls the bank itself:
open an operation and press <em>Execute</em>, and its example runs as it stands.</p>
<h2>Reference</h2><div class="cards">${references.join('')}</div>${rest.join('')}</main>`;
}

function card(page, title, lead) {
  return `<a class="card" href="${page}"><strong>${quote(title)}</strong><span>${marked.parseInline(lead)}</span></a>`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${buildSite()} files\n`);
