// The pages for coding agents: a Markdown version of every page, and `llms.txt` with a line for each. The server
// makes `llms-full.txt` from them (src/reference/pages.ts). Format: llmstxt.org.

/** Addresses without a page. */
const MACHINES = [
  ['/openapi/v2.json', 'OpenAPI document of v2'],
  ['/openapi/v1.json', 'OpenAPI document of v1'],
  ['/openapi/sandbox.json', 'OpenAPI document of the control plane'],
];

/** The first paragraph of a page as one line without links. */
function leadOf(text) {
  const [, lead = ''] = /^# .+\n+((?!```)[^#\n<|-][^\n]*(?:\n[^\n]+)*)/m.exec(text) ?? [];
  return lead
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/:$/, '.');
}

/** The names and texts of the files, from the sidebar and the texts of the pages. */
export function agentPages(shelves, titles, texts) {
  const sections = shelves.map(({ title, pages = [], references }) => {
    const names = references
      ? [...texts.keys()].filter((name) => name.startsWith('reference/'))
      : pages.flatMap((page) =>
          page.endsWith('/*')
            ? [...texts.keys()].filter((name) => name.startsWith(page.slice(0, -1)))
            : [page],
        );
    return { title, names };
  });
  const line = (name) => {
    const lead = leadOf(texts.get(name));
    return `- [${titles.get(name)}](/docs/${name}.md)${lead === '' ? '' : `: ${lead}`}`;
  };
  const lead =
    "> Sandbank is a local imitation of Solid's banking API, v2 and v1, with a control plane that moves the clock and simulates " +
    'other banks. Begin with "Develop against Sandbank" and "Test your program against Sandbank". `GET /_sandbox` has the ids of ' +
    'the initial records, `sandbank mcp` has tools for agents, and `sandbank skill` prints instructions.';
  const overview = [
    `# Sandbank\n\n${lead}`,
    ...sections.map(({ title, names }) => `## ${title}\n\n${names.map(line).join('\n')}`),
    `## For machines\n\n${MACHINES.map(([path, title]) => `- [${title}](${path})`).join('\n')}`,
  ];
  return [
    ...[...texts].map(([name, text]) => [`${name}.md`, text]),
    ['llms.txt', `${overview.join('\n\n')}\n`],
  ];
}
