/**
 * Generates the static pages on errors and events: every published code with its causes, and every kind of event with
 * the operations that send it. They come from the operations and the recorded responses, so nothing is added by hand.
 */
import { kindsOf } from '../../bank/api/events.ts';
import { UNCAUSED } from '../../bank/api/uncaused-events.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import { V2_CODES } from '../../bank/kernel/v2-codes.ts';
import { type RecordedAnswers, readAnswers } from '../openapi/answers.ts';
import { API_DOCUMENTS } from '../openapi/document.ts';
import { reportOf } from '../openapi/event-words.ts';
import { refusalCodesOf, statusIn } from '../openapi/refusals.ts';
import type { ApiDocument, OperationRow } from '../openapi/schemas.ts';
import { eventPage } from './lists.ts';
import { codeIn } from './page.ts';

const TITLES = { v2: 'v2', v1: 'v1', sandbox: 'Control plane' } as const;
const SHOWN = 3;

const plain = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('|', '\\|');
const linkTo = (name: string, { id, summary }: Pick<OperationRow, 'id' | 'summary'>): string =>
  `[${plain(summary)}](/docs/reference/${name}/${id}.html)`;

/** The first operations, and the number of the others. */
function some(name: string, rows: readonly Pick<OperationRow, 'id' | 'summary'>[], all: number): string {
  if (rows.length === all) return 'every operation';
  const links = rows.slice(0, SHOWN).map((row) => linkTo(name, row));
  const more = rows.length - SHOWN;
  return more > 0 ? `${links.join(', ')} and ${more} more` : links.join(', ');
}

/** A published code and its refusals. */
interface Published {
  readonly status: number;
  /** The operations by the reasons of the code. */
  readonly reasons: Map<RefusalCode, { message: string; rows: OperationRow[] }>;
}

/** The published codes of a version. */
export function publishedCodes({ name, operations, formatRefusal }: ApiDocument): Map<string, Published> {
  const found = new Map<string, Published>();
  for (const row of operations) {
    for (const reason of refusalCodesOf(name, row)) {
      const body = formatRefusal(refuse(reason), row) as { status?: number };
      const { code, message } = codeIn(body);
      const published = found.get(code) ?? { status: statusIn(name, reason), reasons: new Map() };
      found.set(code, published);
      const known = published.reasons.get(reason) ?? { message, rows: [] };
      published.reasons.set(reason, known);
      known.rows.push(row);
    }
  }
  return new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Where the codes of v2 come from, and the codes that only a fault causes. */
function v2Sources(): string {
  const codes = Object.entries(V2_CODES);
  const ours = codes.filter(([, { from }]) => from === 'ours').map(([code]) => `\`${code}\``);
  const unreached = codes.flatMap(([code, row]) =>
    'unreached' in row ? [`| \`${code}\` | ${row.status} | ${row.unreached} |`] : [],
  );
  return `The codes come from the platform's public list of errors. These are ours, for statuses that the list lacks: ${ours.join(', ')}.

Some codes occur only if a fault answers with them, for example \`{"error": {"code": "ERROR_CODE_DB_ERROR"}}\`:

| Code | Status | Why no request causes it |
| --- | --- | --- |
${unreached.join('\n')}`;
}

/** The Markdown of the page on errors. */
export function errorsPage(): string {
  const parts = API_DOCUMENTS.map((document) => {
    const { name, operations } = document;
    const codes = [...publishedCodes(document)].map(([code, { status, reasons }]) => {
      const rows = [...reasons].map(
        ([reason, { message, rows: refusing }]) =>
          `| \`${reason}\` | ${plain(message)} | ${some(name, refusing, operations.length)} |`,
      );
      return `### ${code} {#${name}-${code.toLowerCase()}}\n\nStatus ${status}.\n\n| Reason | Message | Given by |\n| --- | --- | --- |\n${rows.join('\n')}`;
    });
    return [`## ${TITLES[name]}`, ...(name === 'v2' ? [v2Sources()] : []), ...codes].join('\n\n');
  });
  return `# Errors

A refused request changes nothing. The body names a code, and often the field at fault: in v2 in \`error.code\` and \`error.field_name\`, in
v1 in \`code\` and \`message\`, in the control plane in \`error.code\` and \`error.message\`. Many refusals have the header
\`x-sandbox-hint\` with advice.

This page lists every code of both versions and of the control plane, with the reasons for which this bank gives it. The page of an
operation shows its own errors with their bodies.

## Cause an error

Send a request to which one of the reasons applies; most messages describe how. Any other reason can be caused with a fault, which refuses
the next request. Name the operation, the status and the reason:

\`\`\`sh
sandbank fault add --operation v2_originate_ach_pull --status 400 --code account_debit_blocked --times 1
\`\`\`

${parts.join('\n\n')}
`;
}

/** The Markdown of the page on events. */
export async function eventsPage(): Promise<string> {
  const parts = await Promise.all(
    API_DOCUMENTS.map(async (document) => {
      const { name, operations } = document;
      if (name === 'sandbox') return [];
      const recorded = await readAnswers(name, { ids: {}, address: '' });
      const rows = kindsOf(name).map((kind) => {
        const senders = operations.filter(({ id }) => sends(recorded, id, kind));
        const page = { id: eventPage(kind), summary: kind };
        const reason = UNCAUSED[name][kind];
        const how = reason === undefined ? `\`sandbank trigger ${kind}\`` : `never: ${plain(reason)}`;
        const by = senders.length === 0 ? '' : some(name, senders, 0);
        return `| ${linkTo(name, page)} | ${plain(reportOf(name, kind))} | ${by} | ${how} |`;
      });
      return [
        `## ${TITLES[name]}\n\n| Kind | It reports that | Sent by | Trigger it |\n| --- | --- | --- | --- |\n${rows.join('\n')}`,
      ];
    }),
  );
  return `# Events

Every kind of event of both versions: what it reports, whose examples send it, and how to cause it. Each kind links to its page, which has
a payload. [Webhook signatures](guides/webhook-signatures.md) describes how to check a delivery. [The recipe on
retries](recipes/webhook-retry.md) tests a receiver that fails.

\`sandbank trigger\` with a kind causes an event by the real change of a record. \`sandbank events\` lists what was published, and
\`sandbank listen\` forwards it to your program.

${parts.flat().join('\n\n')}
`;
}

function sends({ operations }: RecordedAnswers, id: string, kind: string): boolean {
  return operations[id]?.events.some((event) => event.kind === kind) ?? false;
}
