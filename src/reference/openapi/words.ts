/**
 * The descriptions in the OpenAPI documents: the text in the row of an operation, and sentences about its recorded
 * events, refusal codes and decisions.
 */
import type { ApiVersion } from '../../bank/api/events.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import { timeWords, type When } from '../../bank/model/timetable.ts';
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

const kindsOf = (events: readonly RecordedEvent[]): string => listed(events.map(({ kind }) => code(kind)));

/** The events of the operation itself in a sentence; `''` without any. */
function eventSentence(events: readonly RecordedEvent[]): string {
  const atOnce = events.filter(({ steps }) => steps.length === 0);
  return atOnce.length === 0 ? '' : `Sends ${kindsOf(atOnce)}.`;
}

/** The rules of the timetable for scheduled steps; `at once` without any. */
export function stepWords(steps: readonly When[]): string {
  if (steps.length === 0) return 'at once';
  return steps.map((step) => timeWords(step, 'calendar')).join('; then ');
}

/** The events after scheduled steps, with the rule of the timetable for each step; `''` without any. */
export function laterEvents(events: readonly RecordedEvent[]): string {
  const bySteps = Map.groupBy(
    events.filter(({ steps }) => steps.length > 0),
    ({ steps }) => steps.join(),
  );
  if (bySteps.size === 0) return '';
  const lines = [...bySteps.values()].map((some) => `- ${kindsOf(some)}: ${stepWords(some[0]?.steps ?? [])}`);
  return `With ${code('calendar')} rails it sends later, each time counted from the one before:\n\n${lines.join('\n')}`;
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
  const later = laterEvents(events);
  return [
    sentences.filter((sentence) => sentence !== '').join(' '),
    ...(later === '' ? [] : [later]),
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
