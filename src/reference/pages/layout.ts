/**
 * The HTML around every page that the server shows to people: the documentation with its menu, and pages with text
 * only. All of them have one style sheet, docs/page.css. Input of clients is escaped by the caller.
 */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6e5f' d='M8 1 1 5v1h14V5zM3 7v5h2V7zm4 0v5h2V7zm4 0v5h2V7zM1 13v2h14v-2z'/%3E%3C/svg%3E";

/** The parts of a page of the documentation, as HTML. */
export interface DocumentationParts {
  readonly menu: string;
  /** The links to the sections; `''` for a page that needs the whole width. */
  readonly contents: string;
  /** The class of the page's body. */
  readonly look: string;
}

const NAVIGATION = [
  ['/docs/guides/develop.html', 'Guides'],
  ['/docs/reference/v2.html', 'v2'],
  ['/docs/reference/v1.html', 'v1'],
  ['/docs/reference/sandbox.html', 'Control plane'],
  ['/docs/cli.html', 'Command line'],
  ['/docs/fidelity.html', 'Fidelity'],
  ['/', 'Inspector'],
]
  .map(([href, text]) => `<a href="${href}">${text}</a>`)
  .join('\n');

/** A complete page with text only; the title and the parts of `main` are HTML. */
export function formatPage(title: string, main: string): string {
  return documentOf(title, '', 'plain', `<main>\n${main}\n</main>`);
}

/** A page of the documentation. On a narrow screen, buttons open the menu and the contents, without a script. */
export function formatDocumentation(
  title: string,
  main: string,
  { menu, contents, look }: DocumentationParts,
): string {
  const hasContents = contents !== '';
  return documentOf(
    `${title} · Sandbank`,
    '\n<script src="/docs/page.js"></script>',
    `${look}${hasContents ? ' with-contents' : ''}`,
    `<a class="skip" href="#main">Skip to content</a>
<header>
<button type="button" class="for-menu" popovertarget="menu">Menu</button>
<a class="home" href="/docs/"><img src="${ICON}" alt="" width="20" height="20">Sandbank</a>
<form class="search" role="search" action="/docs/search.html">
<input type="search" name="q" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false">
<div class="results" hidden></div>
</form>
<nav class="top" aria-label="Sections">
${NAVIGATION}
</nav>
<button type="button" class="theme" hidden>Dark</button>
</header>
<div class="columns">
<nav id="menu" popover aria-label="Pages">
${menu}
</nav>
<main id="main" tabindex="-1">
${hasContents ? '<button type="button" class="for-contents" popovertarget="contents">On this page</button>\n' : ''}${main}
</main>
${hasContents ? `<nav id="contents" popover aria-label="On this page">\n${contents}\n</nav>` : ''}
</div>`,
  );
}

const documentOf = (title: string, head: string, look: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/docs/page.css">${head}
</head>
<body class="${look}">
${body}
</body>
</html>
`;

/** Escapes a string for a page or an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The text of HTML without tags. */
export function textIn(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
