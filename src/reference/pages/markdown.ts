/**
 * Renders the Markdown of docs/ as HTML: headings have ids, cells the name of their column, code has
 * colours, and blocks with the same commands for two shells become tabs.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { codeBlock, tabs } from './highlight.ts';

const markdown = MarkdownIt({ html: true });

/** A heading's own id: `## Title {#id}`. */
const OWN_ID = /\s*\{#([\w-]+)\}$/;

/** The part of an address for a heading. */
const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^(?=\d)/, '_')
    .toLowerCase();

markdown.core.ruler.push('headings', ({ tokens }) => {
  const used = new Map<string, number>();
  tokens.forEach((token, at) => {
    const inline = tokens[at + 1];
    if (token.type !== 'heading_open' || inline?.children == null) return;
    const last = inline.children.at(-1);
    const [, own] = OWN_ID.exec(last?.content ?? '') ?? [];
    if (own !== undefined && last !== undefined) last.content = last.content.replace(OWN_ID, '');
    const slug = own ?? slugOf(inline.children.map(({ content }) => content).join(''));
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    token.attrSet('id', times === 0 ? slug : `${slug}-${times}`);
  });
});

/** Cells are stacked on a narrow screen, so each has the name of its column. */
markdown.core.ruler.push('cells', ({ tokens }) => {
  let names: string[] = [];
  let column = 0;
  tokens.forEach((token, at) => {
    if (token.type === 'table_open') names = [];
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'th_open') names.push(tokens[at + 1]?.content ?? '');
    if (token.type === 'td_open') {
      token.attrSet('data-of', names[column] ?? '');
      column += 1;
    }
  });
});

/** Pages link to each other as files of the repository. */
markdown.core.ruler.push('links', ({ tokens }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href !== null) token.attrSet('href', String(href).replace(/\.md(?=#|$)/, '.html'));
  }
});

const isFence = (token: Token | undefined, language: string): token is Token =>
  token?.type === 'fence' && token.info === language;

markdown.renderer.rules.fence = (tokens, at) => {
  const { content = '', info = '' } = tokens[at] ?? {};
  const next = tokens[at + 1];
  if (info === 'powershell' && isFence(tokens[at - 1], 'sh')) return '';
  if (info !== 'sh' || !isFence(next, 'powershell')) return codeBlock(content, info);
  const shells = [
    { name: 'Bash', text: content },
    { name: 'PowerShell', text: next.content },
  ];
  return tabs(`shell-${at}`, shells);
};
markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

/** Renders a page. */
export const renderMarkdown = (text: string): string => markdown.render(text);

/** A section of a page: a heading and what follows it. */
export interface Section {
  readonly level: number;
  readonly id: string;
  readonly heading: string;
  readonly body: string;
}

/** The sections of a page, as HTML. */
export function sectionsIn(html: string): Section[] {
  const found = html.matchAll(/<h([1-3])[^>]* id="([^"]+)"[^>]*>(.*?)<\/h\1>(.*?)(?=<h[1-3][ >]|$)/gs);
  return [...found].map(([, level, id = '', heading = '', body = '']) => ({
    level: Number(level),
    id,
    heading,
    body,
  }));
}
