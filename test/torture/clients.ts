/**
 * The clients: carry the actions of a phase out, each lane one after another and all lanes at once, and write into the
 * model what they asked for and what they were told. An answer that nothing explains is a finding.
 */

import type { Item, ItemKind, Model, World } from './model.ts';
import { type Action, PROOFS, RAILS } from './plan.ts';
import type { Reply, Server } from './server.ts';

/** What went wrong, for a person. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
}

/** What the clients of a round share. */
export interface Client {
  server: Server;
  readonly model: Model;
  /** The ids of the seeding, which are those of every sandbox. */
  seeded: Record<string, string>;
  /** Sandboxes by role; one that is not named is steady. */
  readonly roles: ReadonlyMap<string, string>;
  readonly findings: Finding[];
  readonly counts: { requests: number; payments: number; unavailable: number };
  /** The disk is full, or was a moment ago. */
  full: boolean;
  /** How often it was. */
  fulls: number;
  /** Called with each answer. */
  answered(): void;
}

type Api = 'v1' | 'v2' | 'control';
interface Call {
  readonly method: string;
  readonly path: string;
  readonly sandbox: string;
  readonly body?: unknown;
  readonly key?: string;
}

const apiOf = (path: string): Api =>
  path.startsWith('/v1') ? 'v1' : path.startsWith('/v2') ? 'v2' : 'control';
const FULL_WORDS = /disk|space|room|full/i;

/** Asks, and reports what no server should answer; `null` when the connection broke. */
export async function request(
  client: Client,
  { method, path, sandbox, body, key }: Call,
): Promise<Reply | null> {
  const api = apiOf(path);
  const { server, counts } = client;
  const headers: Record<string, string> = { [api === 'v1' ? 'sd-api-key' : 'api-key']: `test_${sandbox}` };
  if (api === 'v1') headers['sd-person-id'] = client.seeded.person_id ?? '';
  if (key !== undefined) headers[api === 'v1' ? 'sd-idempotency-key' : 'idempotency-key'] = key;
  const isBytes = body instanceof Uint8Array;
  if (isBytes) headers['content-type'] = 'application/vnd.sqlite3';
  const { full: wasFull, fulls } = client;
  const reply = await server.fetchReply({
    method,
    path,
    headers,
    ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
  });
  if (reply === null) {
    if (!server.ending) await explainBreak(client, `${method} ${path} in ${sandbox}`);
    return null;
  }
  counts.requests += 1;
  client.answered();
  if (reply.status >= 500) {
    const output = `${method} ${path} in ${sandbox} answered ${reply.status}: ${reply.text.slice(0, 400)}`;
    if (server.ending && reply.status === 503) counts.unavailable += 1;
    else if (wasFull || client.fulls > fulls) {
      counts.unavailable += 1;
      if (PROOFS.fullIsReported && !FULL_WORDS.test(reply.text)) {
        find(client, 'an answer on a full disk does not say that it is full', output);
      }
    } else find(client, `a ${reply.status} without a fault, ${method} ${nameless(path)}`, output);
  }
  return reply;
}

/** A path without its ids, so that what fails alike is called alike. */
function nameless(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/\/(?:[a-z]{3}[-_][0-9a-f-]{30,}|m-[^/]+|\d+)/g, '/*');
}

/** Notes a finding, each sort once. */
export function find(client: Client, what: string, detail: string): void {
  if (!client.findings.some((found) => found.what === what)) client.findings.push({ what, detail });
}

async function explainBreak(client: Client, what: string): Promise<void> {
  const { server } = client;
  // The connection goes a moment before the process is known to have gone.
  await Promise.race([server.gone, new Promise((resolve) => setTimeout(resolve, 500))]);
  if (server.ending) return;
  const ended = server.ended();
  if (ended === null) find(client, 'a connection broke while the server ran', what);
  else find(client, 'the server ended by itself', `${what}: ${JSON.stringify(ended)}`);
}

/** Carries the actions out until they are done or the server is gone. */
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
      if (reply !== null && reply.status !== 200 && client.roles.get(sandbox) !== 'changing') {
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

/** Sends what makes an item, and again with the same key when the answer was lost. */
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
    // A refusal of the server itself: nothing was carried out.
    if (reply === null || reply.status >= 500) {
      model.settle(made, reply === null ? 'broken' : 'refused');
      return;
    }
    // Who comes while a sandbox is removed finds it neither there nor free: its key is unknown.
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
  const api = apiOf(path);
  const isIntra = rail.includes('intra');
  const amount = wrong === 'funds' ? '99999.00' : wrong === 'field' ? 'much' : amountOf(cents);
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
  // Too much is declined in v2, which makes a row; a pull from another bank is never too much.
  const isTooMuch = wrong === 'funds' && !(first > 0 && second === 0);
  const isDeclined = isTooMuch && api === 'v2';
  const isRight = wrong === undefined || isDeclined;
  if (wrong === 'funds' && !isTooMuch) return;
  const kind: ItemKind = isDeclined ? 'declined' : 'payment';
  const key = api === 'control' ? undefined : `key-${tag}`;
  const call: Call = { method: 'POST', path, sandbox, body, ...(key !== undefined && { key }) };
  const expect = isRight ? RIGHT : WRONG;
  const item = { tag, sandbox, kind, cents, first, second };
  const made = make(client, item, call, expect);
  const repeated = twice === 'together' ? request(client, call) : null;
  const { item: paid, reply } = await made;
  const other = await (twice === 'after' ? request(client, call) : repeated);
  if (other !== null) {
    compare(client, call, reply, other);
    // On a full disk the second may find room where the first found none.
    if (isRight && other.status < 300 && paid.state !== 'acknowledged') {
      client.model.settle(paid, 'acknowledged', idIn(other));
    }
  }
  if (paid.state === 'acknowledged') client.counts.payments += 1;
}

function compare(client: Client, call: Call, one: Reply | null, other: Reply | null): void {
  if (one === null || other === null || one.status >= 500 || other.status >= 500) return;
  // A refusal is told with the number of the request.
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
  await make(client, item, { method: 'POST', path, sandbox, body }, RIGHT);
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
  // Where banks are exchanged or time passes, the authorization may have gone.
  const isSteady = (client.roles.get(sandbox) ?? 'steady') === 'steady';
  const expect = (status: number) => (status < 300 ? 'acknowledged' : isSteady ? 'wrong' : 'refused');
  const body = action.do === 'capture' ? { amount: amountOf(cents) } : {};
  await make(client, item, { method: 'POST', path, sandbox, body }, expect);
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

/** Uses so many sandboxes that nobody used before, each with a payment. */
async function useMany(client: Client, { tag, count }: Extract<Action, { do: 'many' }>): Promise<void> {
  for (let number = 0; number < count && client.server.ended() === null; number += 1) {
    const own = { tag: `${tag}-${number}`, sandbox: `m-${tag}-${number}`, lane: 0 };
    await pay(client, { ...own, do: 'pay', rail: 'v2_intra_pull', cents: 100 });
  }
}

type Exchange = Extract<Action, { do: 'snapshot' | 'restore' | 'export' | 'import' | 'reset' | 'remove' }>;

async function exchange(client: Client, action: Exchange): Promise<void> {
  const { model } = client;
  const { sandbox } = action;
  const own = model.sandbox(sandbox);
  const outcomeOf = (reply: Reply | null) =>
    reply === null ? 'broken' : reply.status < 300 ? 'done' : ('refused' as const);
  const go = async (
    path: string,
    method: string,
    image: readonly World[],
    body?: unknown,
  ): Promise<Reply | null> => {
    const finish = model.exchange(sandbox);
    const isRemoval = method === 'DELETE';
    // The name of the sandbox that is addressed is in the path.
    const reply = await request(client, { method, path, sandbox: isRemoval ? 'default' : sandbox, body });
    finish(outcomeOf(reply), image);
    return reply;
  };
  switch (action.do) {
    case 'snapshot': {
      const taken = model.take(sandbox);
      const path = `/_sandbox/snapshots/${action.name}`;
      const reply = await request(client, { method: 'PUT', path, sandbox });
      const worlds = taken();
      const before = own.snapshots.get(action.name);
      const outcome = outcomeOf(reply);
      if (outcome === 'done') own.snapshots.set(action.name, { worlds, mayMiss: false });
      else if (outcome === 'broken') {
        const stored = { worlds: [...(before?.worlds ?? []), ...worlds], mayMiss: before?.mayMiss ?? true };
        own.snapshots.set(action.name, stored);
      }
      return;
    }
    case 'restore': {
      const stored = own.snapshots.get(action.name);
      if (stored === undefined) return;
      const reply = await go(`/_sandbox/snapshots/${action.name}/restore`, 'POST', stored.worlds);
      if (reply?.status === 404 && !stored.mayMiss) {
        find(
          client,
          'a snapshot that was acknowledged is gone',
          `${action.name} of ${sandbox}: ${reply.text}`,
        );
      }
      return;
    }
    case 'export': {
      const taken = model.take(sandbox);
      const reply = await request(client, { method: 'GET', path: '/_sandbox/export', sandbox });
      const worlds = taken();
      if (reply?.status === 200) model.exports.set(action.name, { worlds, image: reply.bytes });
      return;
    }
    case 'import': {
      const stored = model.exports.get(action.name);
      if (stored === undefined) return;
      const reply = await go('/_sandbox/import', 'POST', stored.worlds, stored.image);
      if (reply !== null && reply.status >= 300 && reply.status < 500) {
        find(client, 'an image that was exported is not let in', `${sandbox}: ${reply.status} ${reply.text}`);
      }
      return;
    }
    case 'reset':
      await go('/_sandbox/reset', 'POST', [new Map()]);
      return;
    case 'remove': {
      const reply = await go(`/_sandbox/sandboxes/${sandbox}`, 'DELETE', [new Map()]);
      // Snapshots go with it; where nobody knows, some may be left.
      if (reply === null) {
        for (const [name, stored] of own.snapshots) own.snapshots.set(name, { ...stored, mayMiss: true });
      } else if (reply.status < 300) own.snapshots.clear();
      return;
    }
    default:
      return;
  }
}
