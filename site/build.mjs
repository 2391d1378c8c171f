// Builds dist/site: the pages at /docs, which need no network. VitePress renders the Markdown of docs/ and a list of
// the operations of each document. The running server generates the page of an operation. Reasons:
// docs/decisions/0016-pages.md.
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformerStyleToClass } from '@shikijs/transformers';
import { build } from 'vitepress';
import { writeCollections } from '../build/collections/write.ts';
import { agentPages } from './agents.mjs';
import { errorsPage, eventsPage } from './lookups.ts';
import { GROUPS, referencePages } from './reference.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITE = join(ROOT, 'site');
/** The input and output folders of VitePress, which are removed after the build. */
const PAGES = join(SITE, '.pages');
const MADE = join(SITE, '.made');
const OUT = join(ROOT, 'dist/site');
const DOCS = join(ROOT, 'docs');
const BASE = '/docs/';

/** The third-party packages in the pages. */
export const PACKAGES = [
  '@vueuse/core',
  '@vueuse/shared',
  'focus-trap',
  'mark.js',
  'minisearch',
  'tabbable',
  'vitepress',
  'vue',
];

/** The sidebar in order. A folder represents its pages, with their titles. */
const SHELVES = [
  {
    title: 'Guides',
    pages: [
      'guides/first-steps',
      'guides/inspector',
      'guides/develop',
      'guides/test',
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
      'guides/compare',
    ],
  },
  { title: 'In other languages', pages: ['guides/python', 'guides/java', 'guides/go'] },
  { title: 'Recipes', pages: ['recipes/*'] },
  { title: 'Reference', references: true },
  {
    title: 'Look up',
    pages: [
      'test-values',
      'errors',
      'events',
      'cli',
      'settings',
      'control-plane',
      'rails',
      'fidelity',
      'versioning',
      'glossary',
    ],
  },
];

/** Pages about the code, and the package page for npm, which are only for the repository. */
const LEFT_OUT = /^(npm\/|decisions\/|architecture\.md$|guides\/release\.md$)/;

/** Pages without an outline, because their tables need the whole width. */
const WIDE = ['fidelity.md', 'settings.md'];

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? '';

/** The paths of the pages below a folder, relative to it, with forward slashes. */
const listed = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending) && statSync(join(folder, name)).isFile())
    .sort();

/** Converts a link to a local bank into a link to the bank that serves the page. */
const LINK_TO_BANK = /\[([^\]]+)\]\(http:\/\/127\.0\.0\.1:4800(\/openapi\/[^)\s]*)\)/g;

/** Matches consecutive blocks with the same commands for two shells. */
const SHELLS = /^```sh\n([\s\S]*?^```\n)\n```powershell\n([\s\S]*?^```)$/gm;

/** Converts blocks for two shells to tabs. */
const withTabs = (text) =>
  text.replaceAll(SHELLS, '::: code-group\n\n```sh [Bash]\n$1\n```powershell [PowerShell]\n$2\n\n:::');

/** Replaces links to other sites by their text, because they do not work without a network. */
function withoutLinksOut(name, text) {
  const isPage = (to) => {
    const path = posix.normalize(posix.join(posix.dirname(name), to));
    return !path.startsWith('..') && !LEFT_OUT.test(path) && path !== 'decisions';
  };
  const own = text.replaceAll(LINK_TO_BANK, '<a href="$2" target="_self">$1</a>');
  return own.replaceAll(/\[([^\]]+)\]\(([^)\s#]+)(#[^)]*)?\)/g, (link, words, to) =>
    !/^https?:/.test(to) && isPage(to) ? link : words,
  );
}

function write(folder, name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Prepares the Markdown for VitePress; returns the titles of the pages and their Markdown versions. */
async function layOut() {
  rmSync(PAGES, { recursive: true, force: true });
  rmSync(MADE, { recursive: true, force: true });
  const titles = new Map();
  const texts = new Map();
  for (const name of listed(DOCS, '.md')) {
    if (LEFT_OUT.test(name)) continue;
    const text = readFileSync(join(DOCS, name), 'utf8');
    titles.set(name.replace(/\.md$/, ''), titleOf(text));
    const front = WIDE.includes(name) ? '---\naside: false\npageClass: wide\n---\n\n' : '';
    const plain = withoutLinksOut(name, text);
    texts.set(name.replace(/\.md$/, ''), plain);
    write(
      PAGES,
      name,
      front + withTabs(name === 'fidelity.md' ? plain.replace('\n## ', '\n<RowFilter />\n\n## ') : plain),
    );
  }
  for (const { name, text, plain } of referencePages()) {
    write(PAGES, `reference/${name}.md`, text);
    texts.set(`reference/${name}`, plain);
    titles.set(`reference/${name}`, titleOf(text));
  }
  for (const [name, text] of [
    ['errors', errorsPage()],
    ['events', await eventsPage()],
  ]) {
    write(PAGES, `${name}.md`, `---\naside: false\npageClass: wide\n---\n\n${text}`);
    texts.set(name, text);
    titles.set(name, titleOf(text));
  }
  // Only pictures that a page shows are included in the build.
  cpSync(join(DOCS, 'pictures'), join(PAGES, 'pictures'), { recursive: true });
  cpSync(join(SITE, 'home.md'), join(PAGES, 'index.md'));
  mkdirSync(join(PAGES, 'public'));
  // The files of the operation pages, which the server generates.
  for (const name of ['operation.css', 'operation.js']) cpSync(join(SITE, name), join(PAGES, 'public', name));
  return { titles, texts };
}

function sidebarOf(titles) {
  const item = (page) => {
    if (!titles.has(page)) throw new Error(`the sidebar links to ${page}, which does not exist`);
    return { text: titles.get(page), link: `/${page}` };
  };
  const expand = (page) =>
    page.endsWith('/*') ? [...titles.keys()].filter((one) => one.startsWith(page.slice(0, -1))) : [page];
  return SHELVES.map(({ title, pages = [], references }) => ({
    text: title,
    items: references
      ? GROUPS.map(({ name, groups }) => ({
          ...item(`reference/${name}`),
          collapsed: true,
          items: groups.map(({ title: text, anchor }) => ({ text, link: `/reference/${name}#${anchor}` })),
        }))
      : pages.flatMap(expand).map(item),
  }));
}

/** Adds the column name to each cell of a table; it is shown when a narrow screen displays rows as cards. */
function nameCells(markdown) {
  markdown.core.ruler.push('name-cells', ({ tokens }) => {
    let names = [];
    let column = 0;
    tokens.forEach((token, at) => {
      if (token.type === 'table_open') names = [];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') names.push(tokens[at + 1].content);
      if (token.type === 'td_open') {
        token.attrSet('data-of', names[column] ?? '');
        column += 1;
      }
    });
  });
}

/**
 * The policy of the pages forbids inline scripts and styles: VitePress's scripts become files, its styles rules of
 * the style sheet, and the colours of code become classes.
 */
function strictly(config) {
  const scripts = new Map();
  const rules = new Set();
  const colours = transformerStyleToClass({ classPrefix: 'ink-' });
  const nameOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);
  return {
    ...config,
    srcDir: PAGES,
    markdown: {
      ...config.markdown,
      codeTransformers: [colours],
      config: (markdown) => markdown.use(nameCells),
    },
    transformHtml: (html) =>
      html
        .replaceAll(/<script([^>]*)>([^<]+)<\/script>/g, (_, attributes, text) => {
          const name = `assets/inline.${nameOf(text)}.js`;
          scripts.set(name, text);
          return `<script${attributes} src="${BASE}${name}"></script>`;
        })
        .replaceAll(/ style="([^"]*)"/g, (_, style) => {
          if (style === '') return '';
          rules.add(`[data-style="${nameOf(style)}"]{${style}}`);
          return ` data-style="${nameOf(style)}"`;
        }),
    buildEnd({ outDir }) {
      for (const [name, text] of scripts) write(outDir, name, text);
      const sheet = listed(outDir, '.css').find((name) => name.startsWith('assets/style.'));
      if (sheet === undefined) throw new Error('the pages have no style sheet for code');
      writeFileSync(join(outDir, sheet), [colours.getCSS(), ...rules].join(''), { flag: 'a' });
    },
  };
}

/** Builds the pages; returns the number of files. */
export async function buildSite() {
  try {
    const { titles, texts } = await layOut();
    globalThis.sandbankSite = { sidebar: sidebarOf(titles), strictly };
    await build(SITE, { outDir: MADE, base: BASE });
    await writeCollections(join(MADE, 'collections'));
    for (const [name, text] of agentPages(SHELVES, titles, texts)) write(MADE, name, text);
    rmSync(OUT, { recursive: true, force: true });
    mkdirSync(dirname(OUT), { recursive: true });
    renameSync(MADE, OUT);
    return listed(OUT, '').length;
  } finally {
    rmSync(PAGES, { recursive: true, force: true });
    rmSync(MADE, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await buildSite()} files\n`);
}
