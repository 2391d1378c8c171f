/**
 * The overview for coding agents: `llms.txt` with a line for each page, and `llms-full.txt` with their texts. Format:
 * llmstxt.org.
 */
import type { Library, LibraryPage } from './library.ts';

const LEAD =
  "> Sandbank is a local imitation of Solid's banking API, v2 and v1, with a control plane that moves the clock and simulates " +
  'other banks. Begin with "Develop against Sandbank" and "Test your program against Sandbank". `GET /_sandbox` has the ids of ' +
  'the initial records, `sandbank mcp` has tools for agents, and `sandbank skill` prints instructions.';
const HEAD = `# Sandbank\n\n${LEAD}`;

/** Addresses without a page. */
const MACHINES = `## For machines

- [OpenAPI document of v2](/openapi/v2.json)
- [OpenAPI document of v1](/openapi/v1.json)
- [OpenAPI document of the control plane](/openapi/sandbox.json)`;

/** The first paragraph of a page as one line without links. */
function leadOf(text: string): string {
  const [, lead = ''] = /^# .+\n+((?!```)[^#\n<|-][^\n]*(?:\n[^\n]+)*)/m.exec(text) ?? [];
  return lead
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/:$/, '.');
}

/** The overview. */
export async function overviewOf({ pages, shelves }: Library): Promise<string> {
  const line = async (name: string): Promise<string> => {
    const { title, text } = pages.get(name) as LibraryPage;
    const lead = leadOf(await text());
    return `- [${title}](/docs/${name}.md)${lead === '' ? '' : `: ${lead}`}`;
  };
  const sections = shelves.map(
    async ({ title, names }) => `## ${title}\n\n${(await Promise.all(names.map(line))).join('\n')}`,
  );
  return `${[HEAD, ...(await Promise.all(sections)), MACHINES].join('\n\n')}\n`;
}

/** The text of every page. */
export async function wholeTextOf({ pages, shelves }: Library): Promise<string> {
  const texts = shelves
    .flatMap(({ names }) => names)
    .map(async (name) => `<!-- /docs/${name}.md -->\n\n${(await pages.get(name)?.text())?.trim()}`);
  return `${[HEAD, ...(await Promise.all(texts))].join('\n\n')}\n`;
}
