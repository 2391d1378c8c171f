/**
 * The pages that the server generates itself: text with one style, without scripts or external resources. All input
 * of clients is escaped.
 */
import { hash } from 'node:crypto';
import { headersWith, TEXT_POLICY } from './pages.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #566074; --page: #fbfbfa; --box: #f0f1ef; --link: #0b5c8a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --soft: #a2abbb; --page: #14181f; --box: #1f2530; --link: #7cc4f0; }
}
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
a { color: var(--link); }
code { font: .875rem/1.5 ui-monospace, monospace; }
pre { background: var(--box); border-radius: 6px; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
ul { padding: 0; margin: .5rem 0; list-style: none; }
li { padding: .4rem 0; }
li span { display: block; color: var(--soft); }
.choices { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.5rem 0; }
.choices a { padding: .6rem 1.1rem; border: 1px solid var(--link); border-radius: 6px; text-decoration: none; }
`;

/** Such a page has one style and no script. */
export const STYLED_PAGE_HEADERS: Readonly<Record<string, string>> = headersWith({
  ...TEXT_POLICY,
  'style-src': `'sha256-${hash('sha256', STYLE, 'base64')}'`,
  'img-src': 'data:',
});

/** A complete page; the title and the parts of `main` are HTML. */
export function formatPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

/** Escapes a string for a page or an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
