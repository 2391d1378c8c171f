/**
 * Highlights the code of the pages as HTML: names, strings, numbers, keywords and comments of JSON and of the
 * languages of the samples. Their delimiters are the same in all languages, so one pattern matches all.
 */
import { escapeHtml } from './layout.ts';

const KEYWORDS = new Set(
  'as await const false for from func if import in nil None null package range return true True False var with'.split(
    ' ',
  ),
);
const REMARK = /(?:\/\/|#) [^\n]*/;
const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/;
const WORD = /[A-Za-z_]\w*/;
const NUMBER = /-?\d[\d.e+-]*/;
const SIGNS = new RegExp(
  `(?<remark>${REMARK.source})|(?<text>${TEXT.source})(?<colon>\\s*:)?|(?<word>${WORD.source})|(?<number>${NUMBER.source})`,
  'g',
);

/** The CSS class of a match, if it has one. */
function classOf({ remark, text, colon, word }: Record<string, string | undefined>): string | undefined {
  if (remark !== undefined) return 'r';
  if (text !== undefined) return colon === undefined ? 's' : 'k';
  if (word !== undefined) return KEYWORDS.has(word) ? 'n' : undefined;
  return 'n';
}

/** Highlights code. Of a shell, only texts and comments have a meaning. */
function highlight(code: string, isShell = false): string {
  let html = '';
  let at = 0;
  for (const found of code.matchAll(SIGNS)) {
    const { groups = {}, index } = found;
    const kind = classOf(groups);
    if (kind === undefined || (isShell && kind === 'n')) continue;
    const marked = found[0].slice(0, found[0].length - (groups.colon ?? '').length);
    html += `${escapeHtml(code.slice(at, index))}<i class="${kind}">${escapeHtml(marked)}</i>`;
    at = index + marked.length;
  }
  return html + escapeHtml(code.slice(at));
}

/** Languages without colours. */
const PLAIN = ['', 'text', 'mermaid'];
const SHELLS = ['sh', 'curl', 'Bash', 'powershell', 'PowerShell'];

/** A block of code in a language, with a button that copies it. */
export function codeBlock(code: string, language: string, label?: string): string {
  const text = code.trimEnd();
  const html = PLAIN.includes(language) ? escapeHtml(text) : highlight(text, SHELLS.includes(language));
  const name = label === undefined ? '' : ` aria-label="${label}"`;
  return `<div class="code"><pre tabindex="0"${name}><code>${html}</code></pre><button type="button" class="copy" hidden>Copy</button></div>\n`;
}

/** A block with a JSON value or a string. */
export const valueBlock = (value: unknown): string =>
  codeBlock(typeof value === 'string' ? value : JSON.stringify(value, null, 2), 'json');

/** Tabs without a script: the page contains all of them. The group is unique in the page. */
export function tabs(group: string, code: readonly { name: string; text: string }[]): string {
  const inputs = code.map(
    ({ name }, at) =>
      `<input type="radio" name="${group}" id="${group}-${at}" value="${name}"${at === 0 ? ' checked' : ''}><label for="${group}-${at}">${name}</label>`,
  );
  const panels = code.map(({ name, text }) => codeBlock(text, name, name));
  return `<div class="tabs">${inputs.join('')}${panels.join('')}</div>\n`;
}
