/**
 * Responses of the bank as lines of text: the parts that a task needs, without the rest of the JSON.
 */
import { counted } from '../../bank/kernel/count.ts';
import type { ControlMethods } from '../../kit/client/types.ts';
import type { BankEvent } from '../../kit/events.ts';

type Travel = Awaited<ReturnType<ControlMethods['advanceClock']>>;
type Changes = Awaited<ReturnType<ControlMethods['compareSnapshot']>>;
type Request = Awaited<ReturnType<ControlMethods['retrieveRequest']>>;

/** The maximum number of steps or events in a line of a list. */
const SHOWN = 20;

/** An event: its id, kind, record and deliveries. */
export function eventLine({ id, type, at, resource_id, deliveries }: BankEvent): string {
  const states = Object.entries(deliveries)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  return `${at} ${id} ${type} ${resource_id} [${states.join(', ') || 'no webhook'}]`;
}

/** A request, its response and its effects. */
export function requestLine(request: Request, withBodies: boolean): string {
  const { at, id, method, path, status, hint, operation, fault, replayed, caused } = request;
  const { request_body, answer_body } = request;
  const remarks = [
    ...(hint === '' ? [] : [`hint: ${hint}`]),
    ...(fault === '' ? [] : [`fault ${fault}`]),
    ...(replayed ? ['replayed under its idempotency key'] : []),
    ...caused.transactions,
    ...(caused.events.length === 0 ? [] : [`events: ${caused.events.map(({ type }) => type).join(', ')}`]),
  ];
  const bodies = withBodies || status >= 400;
  return [
    `${at} ${status} ${method} ${path} ${operation} ${id}`,
    ...remarks.map((remark) => `  ${remark}`),
    ...(bodies && request_body !== null ? [`  sent ${JSON.stringify(request_body)}`] : []),
    ...(bodies && answer_body !== null ? [`  got ${JSON.stringify(answer_body)}`] : []),
  ].join('\n');
}

/** An advance of the clock: the payments that changed status, and the remaining planned work. */
export function travelLines(
  travel: Travel & { left?: { transaction_id: string; status: string }[] },
): string {
  const { from, clock, transitions, events, deliveries, quiescent, problem, left = [] } = travel;
  return [
    `${from} -> ${clock.now}: ${counted(transitions.length, 'step')}, ${counted(events.length, 'event')}, ${counted(deliveries.length, 'delivery', 'deliveries')}`,
    ...someOf(
      transitions.map(
        ({ transaction_id, from: before, to }) => `${transaction_id} ${before ?? 'new'} -> ${to}`,
      ),
    ),
    ...left.map(
      ({ transaction_id, status }) => `${transaction_id} is ${status} and waits for a simulated event`,
    ),
    ...(quiescent ? [] : [`not finished: ${problem || 'something is still due or in flight'}`]),
  ].join('\n');
}

/** The differences between a snapshot and now, by record. */
export function changeLines({ counts, records }: Changes): string {
  const totals = counts
    .filter(({ created, changed, removed }) => created + changed + removed > 0)
    .map(
      ({ noun, created, changed, removed }) =>
        `${noun}: ${created} created, ${changed} changed, ${removed} removed`,
    );
  if (totals.length === 0) return 'nothing changed';
  const details = records.flatMap(({ noun, change, record, fields }) => [
    `${change} ${noun} ${record.id ?? ''}`,
    ...fields.map(
      ({ field, before, after }) => `  ${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
    ),
  ]);
  return [...totals, ...details].join('\n');
}

/** The first lines, and how many more there are. */
export function someOf(lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN;
  return rest > 0 ? [...lines.slice(0, SHOWN), `and ${rest} more`] : [...lines];
}
