/**
 * Generates the static lists of the reference: all operations and events of a document by name, path and description,
 * in the groups of the document. The search finds them, and a link with the name after `#` opens one.
 */
import { kindsOf } from '../src/bank/api/events.ts';
import { API_DOCUMENTS } from '../src/reference/openapi/document.ts';
import type { ApiDocument, OperationRow } from '../src/reference/openapi/schemas.ts';
import { WEBHOOK_TAG } from '../src/reference/openapi/tags.ts';

const LEADS: Readonly<Record<ApiDocument['name'], { title: string; lead: string }>> = {
  v2: { title: 'v2 reference', lead: 'The operations of version 2 of the API, below `/v2`.' },
  v1: { title: 'v1 reference', lead: 'The operations of version 1 of the API, below `/v1`.' },
  sandbox: {
    title: 'Control plane reference',
    lead: 'The functions that only this bank has, below `/_sandbox`: clock, simulation, snapshots, faults. The page [on the control plane](../control-plane.md) has an example of each.',
  },
};

const anchorOf = (tag: string): string => `group-${tag.toLowerCase().replaceAll(/\W+/g, '-')}`;
const quote = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

interface Entry {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly words: string;
}

interface Group {
  readonly title: string;
  readonly anchor: string;
  readonly entries: readonly Entry[];
}

const entryOf = ({ id, method, path, summary, description = '' }: OperationRow): Entry => ({
  id,
  method,
  path: path.replaceAll(/:(\w+)/g, '{$1}'),
  title: summary,
  words: description,
});

function groupsOf({ name, operations, tagOf }: ApiDocument): Group[] {
  const tags = [...new Set(operations.map(tagOf))];
  const groups = tags.map((tag) => ({
    title: tag,
    anchor: anchorOf(tag),
    entries: operations.filter((row) => tagOf(row) === tag).map(entryOf),
  }));
  if (name === 'sandbox') return groups;
  const events = kindsOf(name).map((kind) => ({
    id: `event_${kind.replaceAll('.', '_')}`,
    method: 'EVENT',
    path: kind,
    title: kind,
    words: '',
  }));
  return [...groups, { title: WEBHOOK_TAG, anchor: 'group-sent', entries: events }];
}

/** The groups of each document, in order. */
export const GROUPS = API_DOCUMENTS.map((described) => ({
  name: described.name,
  groups: groupsOf(described),
}));

/** An operation as a line of Markdown. */
const writeLine = ({ method, path, title, words }: Entry): string =>
  method === 'EVENT' ? `- ${path}` : `- \`${method} ${path}\` ${[title, words].filter(Boolean).join('. ')}`;

const writeEntry = (document: string, { id, method, path, title, words }: Entry): string =>
  `<div class="operation ${method.toLowerCase()}">

### ${title.replaceAll('<', '&lt;')} {#${id}}

<a href="/docs/reference/${document}/${id}.html" target="_self"><span class="method">${method}</span> <code>${quote(path)}</code></a>

${firstSentence(words).replaceAll('<', '&lt;').replaceAll('{{', '&#123;{')}

</div>
`;

/** The page of the operation has the full description. */
const firstSentence = (words: string): string => /^.+?[.!?](?=\s|$)/s.exec(words)?.[0] ?? words;

/** The Markdown of each page. */
export function referencePages(): { name: string; text: string; plain: string }[] {
  return GROUPS.map(({ name, groups }) => {
    const { title, lead } = LEADS[name];
    const parts = groups.map(
      ({ title: group, anchor, entries }) =>
        `## ${group} {#${anchor}}\n\n${entries.map((entry) => writeEntry(name, entry)).join('\n')}`,
    );
    const lines = groups.map(
      ({ title: group, entries }) => `## ${group}\n\n${entries.map(writeLine).join('\n')}`,
    );
    return {
      name,
      plain: `# ${title}\n\n${lead} The fields are in [the OpenAPI document](/openapi/${name}.json).\n\n${lines.join('\n\n')}\n`,
      text: `---
aside: false
pageClass: wide
---

# ${title}

${lead} Each operation has a page with its fields, a request in four languages, an answer and its errors. There, **Execute** sends the example to this bank. Programs read the OpenAPI document, as [3.1](/openapi/${name}.json){target="_self"} or [3.0](/openapi/3.0/${name}.json){target="_self"}.

<ReferencePage document="${name}">

${parts.join('\n')}

</ReferencePage>
`,
    };
  });
}
