/**
 * The clients execute the actions of a phase: those of a lane one after another, all lanes concurrently. They add each
 * request and its result to the model. A response that no fault explains is a finding.
 */

import { type Call, type Client, find, isUnavailable, request } from './client.ts';
import { exchange } from './exchanges.ts';
import type { Account, Effect } from './history.ts';
import type { Item, ItemKind } from './model.ts';
import { type Action, RAILS } from './plan.ts';
import type { Reply } from './server.ts';

/** Executes the actions until all are done or the server has ended. */
export async function runActions(client: Client, actions: readonly Action[]): Promise<void> {
  const lanes = new Map<number, Action[]>();
  for (const action of actions) {
    const lane = lanes.get(action.lane) ?? [];
    lane.push(action);
    lanes.set(action.lane, lane);
  }
  const { server } = client;
  await Promise.all(
    [...lanes.values()].map(async (lane) => {
      for (const action of lane) {
        if (server.ended() !== null) return;
        if (client.model.sandbox(action.sandbox).isDamaged) continue;
        await carryOut(client, action);
      }
    }),
  );
}

async function carryOut(client: Client, action: Action): Promise<void> {
  const { sandbox } = action;
  const control = (method: string, path: string, body?: unknown): Promise<Reply | null> =>
    request(client, { method, path, sandbox, body });
  switch (action.do) {
    case 'pay':
      return pay(client, action);
    case 'authorize':
      return authorize(client, action);
    case 'capture':
    case 'reverse':
      return finishCard(client, action);
    case 'record':
      return makeRecord(client, action);
    case 'read': {
      const item = client.model.items.get(action.of);
      if (item?.state !== 'acknowledged' || item.overlapped || item.sandbox !== sandbox) return;
      const path = `/v2/payments/transaction/${item.id.replace(/^tra-/, 'txn-')}`;
      const reply = await control('GET', path);
      if (reply === null || isUnavailable(reply)) return;
      if (reply.status !== 200 && client.roles.get(sandbox) !== 'changing') {
        find(
          client,
          'what was acknowledged cannot be read',
          `${item.tag} in ${sandbox}: ${reply.status} ${reply.text}`,
        );
      }
      return;
    }
    case 'list':
      await control(
        'GET',
        `/v2/payments/transaction?sub_account_id=${client.seeded.sub_account_id}&limit=20`,
      );
      await control('GET', `/v1/account/${client.seeded.account_id}/transaction?limit=20&offset=5`);
      return;
    case 'statement': {
      const { account_id, statement_year, statement_month } = client.seeded;
      await control('GET', `/v1/account/${account_id}/statement/${statement_year}/${statement_month}`);
      return;
    }
    case 'verify': {
      const reply = await control('GET', '/_sandbox/ledger/verify');
      if (reply?.status === 200 && !reply.text.includes('"balanced":true')) {
        find(client, 'the books do not balance', `${sandbox}: ${reply.text}`);
      }
      return;
    }
    case 'balance':
      await readBalance(client, sandbox, action.of, action.apiVersion);
      return;
    case 'events':
      await control('GET', '/_sandbox/events?limit=50');
      return;
    case 'drain':
    case 'settle':
      await control('POST', action.do === 'drain' ? '/_sandbox/drain' : '/_sandbox/clock/settle', {
        deadline_ms: 2000,
      });
      return;
    case 'advance':
      client.model.sandbox(sandbox).hasMoved = true;
      await control('POST', '/_sandbox/clock/advance', { by: `PT${action.hours}H`, deadline_ms: 4000 });
      return;
    case 'clock':
      return setClock(client, action);
    case 'many':
      return useMany(client, action);
    default:
      return exchange(client, action);
  }
}

const amountOf = (cents: number): string => (cents / 100).toFixed(2);
const centsOf = (text: unknown): number => Math.round(Number(text) * 100);
const v2Balance = (body: Record<string, unknown>): number => centsOf(body.available_balance);
const v1Balance = (body: Record<string, unknown>): number => centsOf(body.availableBalance);

/** Reads the balance of an account for the history; `undefined` without a response. */
export async function readBalance(
  client: Client,
  sandbox: string,
  account: Account,
  apiVersion: 'v1' | 'v2',
): Promise<number | undefined> {
  const { seeded } = client;
  const prefix = account === 'first' ? '' : 'other_';
  const [path, balanceIn] =
    apiVersion === 'v2'
      ? [`/v2/accounts/sub_account/${seeded[`${prefix}sub_account_id`]}`, v2Balance]
      : [`/v1/account/${seeded[`${prefix}account_id`]}`, v1Balance];
  const effects = [{ account, change: 0, balanceIn }];
  const reply = await request(client, { method: 'GET', path, sandbox, effects });
  return reply?.status === 200 ? balanceIn(JSON.parse(reply.text) as Record<string, unknown>) : undefined;
}

/** More than any account has. */
const TOO_MUCH_CENTS = 9_999_900;

/** The changes of the balances by a payment; none if it is refused for a reason other than insufficient funds. */
function effectsOf({ rail, cents, wrong }: Extract<Action, { do: 'pay' }>): Effect[] {
  const { path, first, second } = RAILS[rail];
  if (wrong === 'funds') return first < 0 ? [{ account: 'first', change: -TOO_MUCH_CENTS }] : [];
  if (wrong !== undefined) return [];
  const shown = path.startsWith('/v2') ? { balanceIn: v2Balance } : {};
  const effects: Effect[] = [{ account: 'first', change: first * cents, ...shown }];
  return second === 0 ? effects : [...effects, { account: 'second', change: second * cents }];
}

/** Sends the request that creates an item. After a lost response it can be sent again with the same key. */
async function make(
  client: Client,
  item: {
    tag: string;
    sandbox: string;
    kind: ItemKind;
    cents: number;
    first?: number;
    second?: number;
    of?: string;
  },
  call: Call,
  expect: (status: number) => 'acknowledged' | 'refused' | 'wrong',
): Promise<{ item: Item; reply: Reply | null }> {
  const { model } = client;
  const take = (made: Item, reply: Reply | null): void => {
    // The server could not execute it, so nothing was changed.
    if (reply === null || isUnavailable(reply)) {
      model.settle(made, reply === null ? 'broken' : 'refused');
      return;
    }
    // While a sandbox is being removed, its key is unknown.
    const isBetween = (reply.status === 401 || reply.status === 404) && made.overlapped;
    const judged = isBetween ? 'refused' : expect(reply.status);
    if (judged === 'wrong') {
      find(
        client,
        'a right call was refused, or a wrong one was not',
        `${JSON.stringify(call)}: ${reply.status} ${reply.text}`,
      );
    }
    model.settle(made, reply.status < 300 ? 'acknowledged' : 'refused', idIn(reply));
  };
  const again = async (): Promise<void> => {
    model.resend(made);
    take(made, await request(client, call));
  };
  const sent = { first: 0, second: 0, of: '', ...item };
  const made = model.send(sent, call.key === undefined ? undefined : again);
  const reply = await request(client, call);
  take(made, reply);
  return { item: made, reply };
}

function idIn({ status, text }: Reply): string {
  if (status >= 300) return '';
  const body = JSON.parse(text) as { id?: string; transaction?: { id: string } };
  return body.id ?? body.transaction?.id ?? '';
}

const RIGHT = (status: number) => (status < 300 ? ('acknowledged' as const) : ('wrong' as const));
const WRONG = (status: number) => (status >= 400 ? ('refused' as const) : ('wrong' as const));

async function pay(client: Client, action: Extract<Action, { do: 'pay' }>): Promise<void> {
  const { tag, sandbox, rail, cents, wrong, twice } = action;
  const { path, first, second } = RAILS[rail];
  const { seeded } = client;
  const api = path.startsWith('/v1') ? 'v1' : path.startsWith('/v2') ? 'v2' : 'control';
  const isIntra = rail.includes('intra');
  const amount = wrong === 'funds' ? amountOf(TOO_MUCH_CENTS) : wrong === 'field' ? 'much' : amountOf(cents);
  const nobody =
    api === 'v1' ? 'con-00000000-0000-7000-8000-000000000000' : 'ctp_00000000000070008000000000000000';
  const to = wrong === 'party' ? nobody : undefined;
  const body =
    api === 'v1'
      ? {
          accountId: seeded.account_id,
          contactId: to ?? (isIntra ? seeded.vendor_contact_id : seeded.contact_id),
          amount,
          description: tag,
          ...(!isIntra && { type: 'sameDay' }),
        }
      : {
          sub_account_id: seeded.sub_account_id,
          ...(api === 'v2' && {
            counterparty_id: to ?? (isIntra ? seeded.intra_counterparty_id : seeded.ach_counterparty_id),
          }),
          amount,
          description: tag,
        };
  // With the setting of the torture, v2 declines a payment without funds, which creates a row. A pull from another bank needs no funds.
  const isTooMuch = wrong === 'funds' && !(first > 0 && second === 0);
  const isDeclined = isTooMuch && api === 'v2';
  const isRight = wrong === undefined || isDeclined;
  if (wrong === 'funds' && !isTooMuch) return;
  const kind: ItemKind = isDeclined ? 'declined' : 'payment';
  const key = api === 'control' ? undefined : `key-${tag}`;
  const effects = effectsOf(action);
  const call: Call = { method: 'POST', path, sandbox, body, effects, ...(key !== undefined && { key }) };
  const expect = isRight ? RIGHT : WRONG;
  const item = { tag, sandbox, kind, cents, first, second };
  const made = make(client, item, call, expect);
  const repeated = twice === 'together' ? request(client, call) : null;
  const { item: paid, reply } = await made;
  const other = await (twice === 'after' ? request(client, call) : repeated);
  if (other !== null) {
    compare(client, call, reply, other);
    // On a full disk the second request may succeed although the first one failed.
    if (isRight && other.status < 300 && paid.state !== 'acknowledged') {
      client.model.settle(paid, 'acknowledged', idIn(other));
    }
  }
  if (paid.state === 'acknowledged') client.counts.payments += 1;
}

function compare(client: Client, call: Call, one: Reply | null, other: Reply | null): void {
  if (one === null || other === null || isUnavailable(one) || isUnavailable(other)) return;
  // The texts of refusals differ, because they contain the number of the request.
  if (one.status !== other.status || (one.status < 300 && one.text !== other.text)) {
    const output = `${one.status} ${one.text}\n${other.status} ${other.text}`;
    find(client, 'one key got two answers', `${JSON.stringify(call)}:\n${output}`);
  }
}

async function authorize(
  client: Client,
  { tag, sandbox, cents }: Extract<Action, { do: 'authorize' }>,
): Promise<void> {
  const path = `/_sandbox/simulate/cards/${client.seeded.virtual_card_id}/authorize`;
  const body = { amount: amountOf(cents), merchant: { name: tag, mcc: '5812' } };
  const item = { tag, sandbox, kind: 'authorization' as const, cents, first: -1 };
  const effects: Effect[] = [{ account: 'first', change: -cents }];
  await make(client, item, { method: 'POST', path, sandbox, body, effects }, RIGHT);
}

async function finishCard(
  client: Client,
  action: Extract<Action, { do: 'capture' | 'reverse' }>,
): Promise<void> {
  const { of, tag, sandbox } = action;
  const authorization = client.model.items.get(of);
  if (authorization?.state !== 'acknowledged') return;
  const { id, cents } = authorization;
  const path = `/_sandbox/simulate/authorizations/${id}/${action.do}`;
  const kind = action.do === 'capture' ? ('capture' as const) : ('reversal' as const);
  const item = { tag, sandbox, kind, cents, first: action.do === 'reverse' ? 1 : 0, of };
  // If the bank was replaced or its clock was moved, the authorization may no longer exist.
  const isSteady = (client.roles.get(sandbox) ?? 'steady') === 'steady';
  const expect = (status: number) => (status < 300 ? 'acknowledged' : isSteady ? 'wrong' : 'refused');
  const body = action.do === 'capture' ? { amount: amountOf(cents) } : {};
  // A capture of the whole hold does not change the available balance.
  const effects: Effect[] = action.do === 'reverse' ? [{ account: 'first', change: cents }] : [];
  await make(client, item, { method: 'POST', path, sandbox, body, effects }, expect);
}

async function makeRecord(client: Client, action: Extract<Action, { do: 'record' }>): Promise<void> {
  const { tag, sandbox, kind } = action;
  const { seeded } = client;
  const number = 100_000_000 + (Number.parseInt(tag.replace(/\D+/g, ''), 10) % 800_000_000);
  const [path, body] = {
    holder: [
      '/v2/accounts/sub_account_holder',
      {
        master_account_id: seeded.master_account_id,
        type: 'person',
        person: {
          first_name: 'Tor',
          last_name: 'Ture',
          id_type: 'ssn',
          id_number: String(number),
          date_of_birth: '1988-03-14',
          phone: '+15035550142',
          email: `${tag}@sandbank.example`,
        },
      },
    ],
    account: [
      '/v2/accounts/sub_account',
      { sub_account_holder_id: seeded.person_holder_id, type: 'checking', label: tag },
    ],
    contact: ['/v1/contact', { accountId: seeded.account_id, name: tag, email: `${tag}@sandbank.example` }],
  }[kind] as [string, object];
  await make(
    client,
    { tag, sandbox, kind, cents: 0 },
    { method: 'POST', path, sandbox, body, key: `key-${tag}` },
    RIGHT,
  );
}

const HOUR_MS = 3_600_000;

async function setClock(client: Client, action: Extract<Action, { do: 'clock' }>): Promise<void> {
  const { sandbox, mode, shiftHours } = action;
  const at = await request(client, { method: 'GET', path: '/_sandbox/clock', sandbox });
  if (at?.status !== 200) return;
  const now = Date.parse((JSON.parse(at.text) as { now: string }).now) + shiftHours * HOUR_MS;
  client.model.sandbox(sandbox).hasMoved = true;
  const body = {
    mode,
    ...(shiftHours !== 0 && { now: new Date(now).toISOString() }),
    ...(mode === 'scaled' && { rate: 60 }),
  };
  await request(client, { method: 'PUT', path: '/_sandbox/clock', sandbox, body });
}

/** Creates this many new sandboxes, and makes a payment in each. */
async function useMany(client: Client, { tag, count }: Extract<Action, { do: 'many' }>): Promise<void> {
  for (let number = 0; number < count && client.server.ended() === null; number += 1) {
    const own = { tag: `${tag}-${number}`, sandbox: `m-${tag}-${number}`, lane: 0 };
    await pay(client, { ...own, do: 'pay', rail: 'v2_intra_pull', cents: 100 });
  }
}
