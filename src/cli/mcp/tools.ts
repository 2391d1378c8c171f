/**
 * The tools of the MCP server: at most nine, each for one task, with answers of limited size. The list of tools uses
 * an agent's context in every conversation, so descriptions are short; test/cli/mcp.test.ts checks the limit.
 */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import type { Sandbank } from '../../kit/bank.ts';
import type { ControlMethods } from '../../kit/client/types.ts';
import { CommandError, columns, UsageError } from '../bank.ts';
import { duration, sentOnly } from '../options.ts';
import { INCOMING_RAILS } from '../simulate.ts';
import { explainAnything } from './explain.ts';
import { findAnything } from './find.ts';
import { changeLines, eventLine, requestLine, travelLines } from './lines.ts';
import { sendRequest } from './request.ts';

/** A tool as data. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** True for a tool that changes nothing. */
  readonly isReading: boolean;
  readonly input: TObject;
  /** Throws errors that `isFailure` of the command line recognizes. */
  // biome-ignore lint/suspicious/noExplicitAny: the inputs of different tools have nothing in common
  run(bank: Sandbank, input: any): Promise<string>;
}

/** Makes a row of the table whose input has the type of its shape. */
function tool<Input extends TObject>(
  row: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(bank: Sandbank, input: Static<Input>): Promise<string>;
  },
): Tool {
  return row;
}

const text = (description: string) => Type.Optional(Type.String({ description }));
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const oneOf = <Word extends string>(words: readonly Word[], description?: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], ...(description !== undefined && { description }) });
const inputOf = <Shape extends Parameters<typeof Type.Object>[0]>(shape: Shape) =>
  Type.Object(shape, { additionalProperties: false });

const DEFAULT_REQUESTS = 10;
const DEFAULT_WAIT_SECONDS = 10;
const LONGEST_WAIT_SECONDS = 60;
const SHOWN_EVENTS = 10;

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'find',
    description:
      'Find records by a part of a name, an amount, last digits, a trace number or an id, and API operations by words. With an operationId: its fields and an example. Without q: clock, counts and the ids of the initial records.',
    isReading: true,
    input: inputOf({ q: text('like "Ada", "12.50", "ach pull", v2_originate_ach_pull') }),
    run: (bank, { q }) => findAnything(bank, q),
  }),
  tool({
    name: 'request',
    description:
      'Send one request of v2, v1 or the control plane. find with an operationId shows its params, fields and an example.',
    isReading: false,
    input: inputOf({
      operation: Type.String({ description: 'an operationId' }),
      params: Type.Optional(Type.Object({}, { description: 'path, query and header values by name' })),
      body: Type.Optional(Type.Object({})),
    }),
    run: sendRequest,
  }),
  tool({
    name: 'explain',
    description:
      'Explains the state of a transaction, card, holder, account, event with its deliveries, webhook, or request (x-request-id), and its possible next events.',
    isReading: true,
    input: inputOf({ id: Type.String({ description: 'in v2 or v1 format' }) }),
    run: (bank, { id }) => explainAnything(bank, id),
  }),
  tool({
    name: 'simulate',
    description:
      'Simulate actions of other parties. step: an event of a record (explain lists them, like settle, return, decline, capture, pass, lock). incoming: a payment from another bank. purchase, refund: of a card.',
    isReading: false,
    input: inputOf({
      action: oneOf(['step', 'incoming', 'purchase', 'refund']),
      id: text('the record; for incoming the account, for purchase and refund the card (default: the first)'),
      event: text('for step: the event'),
      amount: text('like "12.50"'),
      rail: Type.Optional(oneOf(INCOMING_RAILS, 'for incoming: the rail')),
      return_code: text('for step return, like R01'),
      reason: text('for step: a code, like R112 for a holder'),
      merchant: text('name of the merchant'),
      mcc: text('four digits'),
    }),
    run: simulate,
  }),
  tool({
    name: 'clock',
    description:
      "Read or move the sandbox's clock. advance requires by, business_days or to; settle advances until every payment has settled.",
    isReading: false,
    input: inputOf({
      action: oneOf(['show', 'advance', 'settle', 'freeze', 'run']),
      by: text('like 2d, 90m or P2D'),
      business_days: count('banking days'),
      to: text('time for advance, freeze or run: 2026-12-24T12:00:00Z'),
    }),
    run: moveClock,
  }),
  tool({
    name: 'faults',
    description:
      'Make requests of your program fail or slow. after_commit: the request is executed and its response is lost.',
    isReading: false,
    input: inputOf({
      action: oneOf(['list', 'add', 'clear']),
      method: text('only this method'),
      route: text('only this path; a * at the end matches any rest: /v2/payments/*'),
      status: Type.Optional(
        Type.Integer({ minimum: 400, maximum: 599, description: 'respond with this status' }),
      ),
      latency_ms: count('delay'),
      connection: Type.Optional(oneOf(['reset', 'empty', 'hang', 'truncate'])),
      after_commit: Type.Optional(Type.Boolean()),
      times: count('end after this number of requests'),
    }),
    run: changeFaults,
  }),
  tool({
    name: 'wait_for_event',
    description:
      'Events since the initial records, oldest first; waits if there is none yet. Payments move with the clock: advance or settle it first.',
    isReading: true,
    input: inputOf({
      type: text('a kind like transaction.status.settled, or transaction.*'),
      resource: text('id of the record'),
      since: text('only after this event'),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_WAIT_SECONDS,
          description: 'how long to wait, default 10',
        }),
      ),
    }),
    run: waitForEvent,
  }),
  tool({
    name: 'snapshot',
    description:
      'Take, restore or compare snapshots; compare lists the records that changed since, field by field.',
    isReading: false,
    input: inputOf({ action: oneOf(['take', 'restore', 'compare', 'list']), name: text('default: agent') }),
    run: useSnapshot,
  }),
  tool({
    name: 'requests',
    description:
      'The last requests of your program with answers, newest first; numbers and secrets are masked.',
    isReading: true,
    input: inputOf({
      status: text('like 409 or 4xx'),
      operation: text('an operationId'),
      limit: count('default 10'),
      bodies: Type.Optional(Type.Boolean({ description: 'with bodies' })),
    }),
    run: async (bank, { status, operation, limit = DEFAULT_REQUESTS, bodies }) => {
      const query = { ...sentOnly({ status, operation }), limit: String(limit) };
      const { requests, kept } = await bank.sandbox.listRequests({ query });
      if (requests.length === 0) return `no such request; the journal contains ${kept}`;
      return requests.map((request) => requestLine(request, bodies === true)).join('\n');
    },
  }),
];

type Inputs = {
  readonly action: string;
  readonly id?: string;
  readonly event?: string;
  readonly amount?: string;
  readonly rail?: string;
  readonly return_code?: string;
  readonly reason?: string;
  readonly merchant?: string;
  readonly mcc?: string;
};

async function simulate(bank: Sandbank, input: Inputs): Promise<string> {
  if (input.action === 'step') return takeStep(bank, input);
  const { amount, rail } = input;
  if (amount === undefined) throw new UsageError(`${input.action} needs an amount like "12.50"`);
  if (input.action === 'incoming') {
    if (rail === undefined) throw new UsageError(`incoming needs a rail: ${INCOMING_RAILS.join(', ')}`);
    const sub_account_id = input.id ?? (await seeded(bank, 'sub_account_id'));
    return summaryOf(
      await bank.sandbox.simulateIncoming({ params: { rail }, body: { sub_account_id, amount } }),
    );
  }
  const card_id = input.id ?? (await seeded(bank, 'virtual_card_id'));
  const merchant = sentOnly({ name: input.merchant, mcc: input.mcc });
  const request = {
    params: { card_id },
    body: { amount, ...(Object.keys(merchant).length > 0 && { merchant }) },
  };
  return summaryOf(
    input.action === 'purchase'
      ? await bank.sandbox.simulateCardAuthorization(request)
      : await bank.sandbox.simulateCardRefund(request),
  );
}

/** The explanation of a record lists its events and their deliveries. */
async function takeStep(bank: Sandbank, { id, event, amount, return_code, reason }: Inputs): Promise<string> {
  if (id === undefined || event === undefined)
    throw new UsageError('step needs the id of a record and an event');
  const { simulations, kind } = await bank.sandbox.explain({ params: { id } });
  const fitting = simulations.filter((row) => row.event === event);
  const found = fitting.find(({ legal }) => legal) ?? fitting[0];
  if (found === undefined) {
    const legal = simulations.filter((row) => row.legal).map((row) => row.event);
    throw new UsageError(`a ${kind} has no event ${event}; legal now: ${legal.join(', ') || 'none'}`);
  }
  const body = sentOnly({ amount, return_code, [kind === 'holder' ? 'code' : 'reason']: reason });
  const answer = await bank.fetch(found.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = (await answer.json()) as { error?: { message: string } };
  if (!answer.ok) throw new CommandError(result.error?.message ?? `the bank answered ${answer.status}`);
  return summaryOf(result);
}

async function seeded(bank: Sandbank, name: string): Promise<string> {
  const id = (await bank.seeded())[name];
  if (id === undefined)
    throw new CommandError(`the initial records of this bank have no ${name}: send an id`);
  return id;
}

/** The record of a response in one line. */
function summaryOf(answer: object): string {
  const { steps = [], ...rest } = answer as { steps?: string[] };
  const [record] = Object.values(rest) as { id: string; type?: string; amount?: string; status: string }[];
  const words = [record?.id, record?.type, record?.amount, record?.status].filter(Boolean);
  return `${words.join(' ')}${steps.length === 0 ? '' : ` (steps: ${steps.join(', ')})`}`;
}

interface ClockMove {
  readonly action: string;
  readonly by?: string;
  readonly business_days?: number;
  readonly to?: string;
}

async function moveClock(bank: Sandbank, { action, by, business_days, to }: ClockMove): Promise<string> {
  const { sandbox } = bank;
  switch (action) {
    case 'advance': {
      const body = sentOnly({ by: by === undefined ? undefined : isoDuration(by), business_days, to });
      if (Object.keys(body).length === 0) throw new UsageError('advance needs by, business_days or to');
      return travelLines(await sandbox.advanceClock({ body }));
    }
    case 'settle':
      return travelLines(await sandbox.settleClock({ body: {} }));
    case 'freeze':
    case 'run': {
      const mode = action === 'freeze' ? ('frozen' as const) : ('live' as const);
      return clockLine(await sandbox.setClock({ body: { mode, ...sentOnly({ now: to }) } }));
    }
    default:
      return clockLine(await sandbox.retrieveClock());
  }
}

function isoDuration(by: string): string {
  try {
    return duration(by);
  } catch (error) {
    throw new UsageError(`by is ${by}. ${(error as Error).message}`);
  }
}

function clockLine({ now, mode }: { now: string; mode: string }): string {
  return `${now} ${mode}`;
}

interface FaultInput {
  readonly action: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly latency_ms?: number;
  readonly connection?: 'reset' | 'empty' | 'hang' | 'truncate';
  readonly after_commit?: boolean;
  readonly times?: number;
}

async function changeFaults({ sandbox }: Sandbank, input: FaultInput): Promise<string> {
  if (input.action === 'clear') {
    await sandbox.deleteFaults();
    return 'no faults';
  }
  if (input.action === 'add') await sandbox.createFault({ body: faultOf(input) });
  const { faults } = await sandbox.listFaults();
  if (faults.length === 0) return 'no faults';
  const rows = faults.map(({ id, hits, seen, over, created_at: _, expires_at: __, ...rest }) => [
    id,
    `hit ${hits} of ${seen}${over ? ', over' : ''}`,
    JSON.stringify(rest),
  ]);
  return columns(rows).join('\n');
}

function faultOf({ method, route, status, latency_ms, connection, after_commit, times }: FaultInput) {
  if (status === undefined && latency_ms === undefined && connection === undefined) {
    throw new UsageError('a fault needs status, latency_ms or connection');
  }
  const match = sentOnly({ method, route });
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...(status !== undefined && { error: { status } }),
    ...(latency_ms !== undefined && { latency: { fixed_ms: latency_ms } }),
    ...(after_commit === true && { when: 'after_commit' as const }),
    ...sentOnly({ connection, times }),
  } as NonNullable<NonNullable<Parameters<ControlMethods['createFault']>[0]>['body']>;
}

interface Waiting {
  readonly type?: string;
  readonly resource?: string;
  readonly since?: string;
  readonly seconds?: number;
}

async function waitForEvent(bank: Sandbank, input: Waiting): Promise<string> {
  const { type, resource, since = 'seeded', seconds = DEFAULT_WAIT_SECONDS } = input;
  const query = {
    ...sentOnly({ type, resource }),
    since,
    limit: String(SHOWN_EVENTS),
    wait: String(seconds),
  };
  const { events, cursor } = await bank.sandbox.listEvents({ query });
  if (events.length > 0) return [...events.map(eventLine), `next: since ${cursor}`].join('\n');
  const newest = await bank.sandbox.listEvents({ query: { limit: '5' } });
  return [
    `no such event within ${seconds} s. The newest events are`,
    ...newest.events.map(eventLine),
    'Payments follow the clock of the sandbox: advance it or settle it.',
  ].join('\n');
}

async function useSnapshot(
  { sandbox }: Sandbank,
  { action, name = 'agent' }: { action: string; name?: string },
): Promise<string> {
  const params = { name };
  switch (action) {
    case 'take':
      return `snapshot ${(await sandbox.takeSnapshot({ params })).name} is taken`;
    case 'restore':
      return `restored ${name}; the clock is at ${(await sandbox.restoreSnapshot({ params })).clock.now}`;
    case 'compare':
      return changeLines(await sandbox.compareSnapshot({ params }));
    default: {
      const { snapshots } = await sandbox.listSnapshots();
      return snapshots.map((snapshot) => snapshot.name).join('\n') || 'no snapshots';
    }
  }
}
