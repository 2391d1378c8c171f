/**
 * The descriptions in the OpenAPI documents: the text in the row of an operation, and sentences about its recorded
 * events, refusal codes and decisions.
 */
import type { ApiVersion } from '../../bank/api/events.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import type { RecordedAnswers, RecordedEvent } from './answers.ts';
import { reportOf } from './event-words.ts';
import { ownCodesOf, statusIn } from './refusals.ts';
import type { ApiDocument, OperationRow } from './schemas.ts';

const code = (text: string): string => `\`${text}\``;

/** `a`, `a and b`, `a, b and c`. */
function listed(parts: readonly string[], conjunction = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`;
}

function passed(days: number): string {
  if (days === 0) return 'on the same day';
  return days === 1 ? 'after a day' : `after ${days} days`;
}

/** The events of an operation in a sentence; `''` without any. */
export function eventSentence(events: readonly RecordedEvent[]): string {
  if (events.length === 0) return '';
  const atOnce = events.filter(({ afterDays }) => afterDays === null);
  const days = Map.groupBy(
    events.filter(({ afterDays }) => afterDays !== null),
    ({ afterDays }) => afterDays ?? 0,
  );
  const kindsOf = (some: readonly RecordedEvent[]): string => listed(some.map(({ kind }) => code(kind)));
  const later = [...days].map(([after, some]) => `${kindsOf(some)} ${passed(after)}`);
  const first = atOnce.length === 0 ? '' : `Sends ${kindsOf(atOnce)}`;
  if (later.length === 0) return `${first}.`;
  const rails = `with ${code('calendar')} rails`;
  return first === ''
    ? `Sends, ${rails}, ${listed(later)}.`
    : `${first}, and ${rails} also ${listed(later)}.`;
}

/** A sentence about the refusals beyond the common ones; `''` without any. */
function refusalSentence(name: ApiDocument['name'], row: OperationRow): string {
  const byStatus = Map.groupBy(ownCodesOf(name, row), (own) => statusIn(name, own));
  const parts = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]: [number, RefusalCode[]]) => `${status} (${codes.map(code).join(', ')})`);
  return parts.length === 0 ? '' : `Fails with ${listed(parts, 'or')}.`;
}

/** The address of a decision in the register. */
const decisionUrl = (address: string, slug: string): string => `${address}/docs/fidelity#${slug}`;

/** The whole description of an operation. */
export function describeOperation(
  name: ApiDocument['name'],
  row: OperationRow,
  events: readonly RecordedEvent[],
  address: string,
): string {
  const decisions = (row.decisions ?? []).map((slug) => `[${slug}](${decisionUrl(address, slug)})`);
  const sentences = [row.description, eventSentence(events), refusalSentence(name, row)];
  return [
    sentences.filter((sentence) => sentence !== '').join(' '),
    ...(decisions.length === 0 ? [] : [`Decisions: ${decisions.join(', ')}`]),
  ].join('\n\n');
}

/** The description of a kind of event: its report, and the operations that send it. */
export function describeKind(
  version: ApiVersion,
  kind: string,
  { operations }: RecordedAnswers,
  happens: boolean,
): string {
  const report = reportOf(version, kind);
  const sentence = `Reports that ${report}.`;
  if (!happens) {
    return `${sentence} This bank never sends it by itself; a webhook can subscribe to it, and \`POST /_sandbox/webhooks/{id}/send_example\` sends an example.`;
  }
  const senders = Object.entries(operations).filter(([, { events }]) =>
    events.some((event) => event.kind === kind),
  );
  if (senders.length === 0)
    return `${sentence} Sent after a scheduled step or an operation of the control plane.`;
  return `${sentence} Sent after ${listed(
    senders.map(([id]) => code(id)),
    'or',
  )}.`;
}

/** `a card was created` as a title. */
export function kindSummary(version: ApiVersion, kind: string): string {
  const report = reportOf(version, kind);
  return report.charAt(0).toUpperCase() + report.slice(1);
}
