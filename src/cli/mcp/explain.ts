/**
 * Explains anything with an id: a record as `sandbank explain` does, an event with its deliveries, a webhook with the
 * reasons why its receiver gets no events, a request with its response.
 */

import type { Sandbank } from '../../kit/bank.ts';
import type { ControlMethods } from '../../kit/client/types.ts';
import { CommandError } from '../bank.ts';
import { linesOf } from '../explain.ts';
import { eventLine, requestLine } from './lines.ts';

type Webhook = Awaited<ReturnType<ControlMethods['listWebhooks']>>['webhooks'][number];

const NEWEST_EVENTS = '20';

/** The explainers by the beginnings of ids; anything else is a record. */
const EXPLAINERS: readonly {
  readonly begins: RegExp;
  readonly explain: (bank: Sandbank, id: string) => Promise<string>;
}[] = [
  { begins: /^evt[_-]/, explain: explainEvent },
  { begins: /^(whk_|wbh-)/, explain: explainWebhook },
  { begins: /^req[_-]/, explain: explainRequest },
];

/** Explains the record with this id. Fails like the bank for an unknown id. */
export function explainAnything(bank: Sandbank, id: string): Promise<string> {
  const { explain } = EXPLAINERS.find(({ begins }) => begins.test(id)) ?? { explain: explainRecord };
  return explain(bank, id);
}

async function explainRecord({ sandbox }: Sandbank, id: string): Promise<string> {
  const it = await sandbox.explain({ params: { id } });
  const legal = it.simulations.filter((row) => row.legal).map(({ event }) => event);
  const { next_step: next } = it;
  return [
    ...linesOf({ ...it, legal_events: [] }),
    '',
    next === null ? 'no step is scheduled' : `scheduled: ${next.event} at ${next.at}`,
    `can be simulated now: ${legal.join(', ') || 'nothing'}`,
  ].join('\n');
}

async function explainEvent({ sandbox }: Sandbank, id: string): Promise<string> {
  const params = { id };
  const event = await sandbox.retrieveEvent({ params });
  const { attempts } = await sandbox.listEventAttempts({ params });
  const { webhooks } = await sandbox.listWebhooks();
  const versions = webhooks.filter(({ api_version: apiVersion }) => apiVersion === event.api_version);
  return [
    eventLine(event),
    ...attempts.map(({ webhook_id, number, at, status, error, state, next_due_at }) => {
      const outcome = status === null ? error : `${status} ${error}`.trim();
      const next = next_due_at === '' ? '' : `, next attempt at ${next_due_at}`;
      return `  ${at} attempt ${number} to ${webhook_id}: ${outcome} (${state}${next})`;
    }),
    ...versions.map((webhook) => `  ${webhook.id} ${webhook.url}: ${standingOf(webhook, event.type)}`),
    ...(versions.length === 0 ? [`  no webhook of ${event.api_version} exists`] : []),
    `data ${JSON.stringify(event.data)}`,
  ].join('\n');
}

/** Whether a webhook gets events of a kind, and if not, why. */
function standingOf({ status, events }: Webhook, kind: string): string {
  if (status !== 'active') return `it is ${status}`;
  return events.includes(kind) ? 'it is subscribed to this kind' : `it is not subscribed to ${kind}`;
}

async function explainWebhook({ sandbox }: Sandbank, id: string): Promise<string> {
  const { webhooks } = await sandbox.listWebhooks();
  const webhook = webhooks.find((row) => row.id === id);
  if (webhook === undefined) {
    throw new CommandError(`no webhook ${id}; the webhooks are ${webhooks.map((row) => row.id).join(', ')}`);
  }
  const {
    api_version: apiVersion,
    url,
    receiver,
    status,
    events: kinds,
    deliveries,
    failing_since,
    chaos,
  } = webhook;
  const newest = await sandbox.listEvents({ query: { api_version: apiVersion, limit: NEWEST_EVENTS } });
  const missed = newest.events.filter(({ type }) => !kinds.includes(type)).map(({ type }) => type);
  return [
    `${id} of ${apiVersion}: ${status}, sends to ${receiver ? 'the built-in receiver (GET /_sandbox/receiver)' : url}`,
    `deliveries: ${JSON.stringify(deliveries)}`,
    ...(failing_since === ''
      ? []
      : [`failing since ${failing_since}: explain one of its events for the responses`]),
    ...(chaos ? ['delivery chaos is set for it'] : []),
    `kinds: ${kinds.join(', ')}`,
    ...(missed.length === 0
      ? []
      : [`newest events that it is not subscribed to: ${[...new Set(missed)].join(', ')}`]),
  ].join('\n');
}

async function explainRequest({ sandbox }: Sandbank, id: string): Promise<string> {
  return requestLine(await sandbox.retrieveRequest({ params: { id } }), true);
}
