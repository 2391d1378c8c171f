/**
 * The lists of the reference: all operations and events of a document by name, path and description, in the groups of
 * the document. Each leads to the page of the operation.
 */
import { kindsOf } from '../../bank/api/events.ts';
import { API_DOCUMENTS } from '../openapi/document.ts';
import type { ApiDocument, OperationRow } from '../openapi/schemas.ts';
import { WEBHOOK_TAG } from '../openapi/tags.ts';
import { escapeHtml } from './layout.ts';
import { renderMarkdown } from './markdown.ts';

type Name = ApiDocument['name'];

/** An operation or event. */
interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

interface Group {
  readonly title: string;
  readonly anchor: string;
  readonly entries: readonly Entry[];
}

const LEADS: Readonly<Record<Name, { title: string; lead: string }>> = {
  v2: { title: 'v2 reference', lead: 'The operations of version 2 of the API, below `/v2`.' },
  v1: { title: 'v1 reference', lead: 'The operations of version 1 of the API, below `/v1`.' },
  sandbox: {
    title: 'Control plane reference',
    lead: 'The functions that only this bank has, below `/_sandbox`: clock, simulation, snapshots, faults. The page [on the control plane](../control-plane.md) has an example of each.',
  },
};

const entryOf = ({ id, method, path, summary, description = '' }: OperationRow): Entry => ({
  id,
  method,
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  title: summary,
  description,
});

/** The id of an event's page. */
export const eventPage = (kind: string): string => `event_${kind.replaceAll('.', '_')}`;

function groupsOf({ name, operations, tagOf }: ApiDocument): Group[] {
  const tags = [...new Set(operations.map(tagOf))];
  const groups = tags.map((tag) => ({
    title: tag,
    anchor: `group-${tag.toLowerCase().replaceAll(/\W+/g, '-')}`,
    entries: operations.filter((row) => tagOf(row) === tag).map(entryOf),
  }));
  if (name === 'sandbox') return groups;
  const entries = kindsOf(name).map((kind) => ({
    id: eventPage(kind),
    method: 'EVENT',
    path: kind,
    title: kind,
    description: '',
  }));
  return [...groups, { title: WEBHOOK_TAG, anchor: 'group-sent', entries }];
}

/** The groups of each document, in order. */
export const GROUPS = API_DOCUMENTS.map((described) => ({
  name: described.name,
  title: LEADS[described.name].title,
  groups: groupsOf(described),
}));

const groupsIn = (name: Name): readonly Group[] => GROUPS.find((one) => one.name === name)?.groups ?? [];

/** The page of the operation has the whole description. */
const firstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

const card = (document: Name, { id, method, path, title, description }: Entry): string =>
  `<div class="operation ${method.toLowerCase()}">
<h3 id="${id}"><a href="/docs/reference/${document}/${id}.html">${escapeHtml(title)}</a></h3>
<p><span class="method">${method}</span> <code>${escapeHtml(path)}</code></p>
${renderMarkdown(firstSentence(description))}</div>
`;

/** The list of a document as HTML. */
export function listOf(name: Name): string {
  const { title, lead } = LEADS[name];
  const head = `# ${title}

${lead} Each operation has a page with its fields, a request in four languages, an answer and its errors. There, **Execute** sends the example to this bank. Programs read the OpenAPI document, as [3.1](/openapi/${name}.json) or [3.0](/openapi/3.0/${name}.json).
`;
  const groups = groupsIn(name).map(
    ({ title: group, anchor, entries }) =>
      `<h2 id="${anchor}">${escapeHtml(group)}</h2>\n${entries.map((entry) => card(name, entry)).join('')}`,
  );
  return renderMarkdown(head) + groups.join('');
}

/** An operation as a line of Markdown. */
const lineOf = ({ method, path, title, description }: Entry): string =>
  method === 'EVENT'
    ? `- ${path}`
    : `- \`${method} ${path}\` ${[title, description].filter(Boolean).join('. ')}`;

/** The list of a document as Markdown. */
export function listText(name: Name): string {
  const { title, lead } = LEADS[name];
  const groups = groupsIn(name).map(
    ({ title: group, entries }) => `## ${group}\n\n${entries.map(lineOf).join('\n')}`,
  );
  return `# ${title}\n\n${lead} The fields are in [the OpenAPI document](/openapi/${name}.json).\n\n${groups.join('\n\n')}\n`;
}
