/**
 * Records the responses of the operations of a document. Each example runs in a separate bank: for its success, for
 * the following events, and for each refusal that the document lists.
 */

import { kindsIn } from '../../src/bank/api/events.ts';
import { formatV1, formatV2 } from '../../src/bank/api/ids.ts';
import { refuse } from '../../src/bank/kernel/refusal.ts';
import type { RefusalCode } from '../../src/bank/kernel/refusals.ts';
import type { Fact, FactRecords } from '../../src/bank/model/facts.ts';
import { railOf } from '../../src/bank/model/rails/index.ts';
import type { When } from '../../src/bank/model/timetable.ts';
import type { TransactionStatus } from '../../src/bank/model/vocabulary.ts';
import type {
  RecordedAnswers,
  RecordedEvent,
  RecordedOperation,
} from '../../src/reference/openapi/answers.ts';
import { API_DOCUMENTS } from '../../src/reference/openapi/document.ts';
import { refusalCodesOf, statusIn } from '../../src/reference/openapi/refusals.ts';
import type { ApiDocument, OperationRow } from '../../src/reference/openapi/schemas.ts';
import { namedIds, seededIds } from '../../src/sandboxes/control/summary.ts';
import { keyOf } from '../../src/sandboxes/registry/keys.ts';
import type { Sandbox } from '../../src/sandboxes/sandbox/sandbox.ts';
import { openBank, type RecordedBank, type Reply } from './bank.ts';
import { CONDITIONS } from './conditions.ts';
import { type CallJson, PREPARATIONS } from './preparations.ts';
import { provocationsOf } from './provocations.ts';
import { type Draft, draftExample, KEY_HEADER, wireOf } from './requests.ts';
import { createSituations, type Situations } from './situations.ts';

type Name = ApiDocument['name'];

/** A refusal that no request could cause, and the fault that caused it. */
interface Provoked {
  readonly id: string;
  readonly code: RefusalCode;
  readonly by: 'request' | 'fault';
}

export interface Recording {
  readonly answers: RecordedAnswers;
  readonly provoked: readonly Provoked[];
}

/** The recording of an operation. */
export interface Recorded {
  readonly operation: RecordedOperation;
  /** The error bodies by code, with the cause of each. */
  readonly refusals: ReadonlyMap<RefusalCode, { body: object; by: Provoked['by'] }>;
}

const SANDBOX = 'recorded';
/** The time in which following events are recorded; a returned check takes longest. */
const AFTERWARDS = { by: 'P14D' };
const REQUEST = '0193a5c0b8007a3e9c4d5e6f70819203';

/** A new bank and a draft of the operation's example. */
interface Scene {
  readonly bank: RecordedBank;
  readonly sandbox: Sandbox;
  readonly draft: Draft;
  readonly seeded: Readonly<Record<string, string>>;
  readonly call: CallJson;
  end(): Promise<void>;
}

async function setScene(name: Name, row: OperationRow, shared: RecordedBank | undefined): Promise<Scene> {
  const bank = shared ?? openBank();
  const sandbox = shared === undefined ? bank.registry.default() : bank.registry.byKey(keyOf(SANDBOX));
  if (sandbox === undefined) throw new Error('the recorded sandbox does not open');
  const key = keyOf(sandbox.name);
  const keys = { 'api-key': key, 'sd-api-key': key };
  const call: CallJson = async (method, url, body) => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const headers = { ...keys, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const reply = await bank.send({ method, url, headers, ...payload });
    if (reply.status >= 400) throw new Error(`${method} ${url}: ${reply.status} ${reply.bytes}`);
    return reply;
  };
  const seeded = seededIds(sandbox);
  const example = draftExample(row, seeded);
  const prepared = name === 'sandbox' ? await PREPARATIONS[row.id]?.(call, seeded) : undefined;
  const draft = {
    ...example,
    ...prepared,
    params: { ...example.params, ...prepared?.params },
    headers: { [KEY_HEADER[name]]: key, ...example.headers, ...prepared?.headers },
  };
  return {
    bank,
    sandbox,
    draft,
    seeded,
    call,
    end: () => (shared === undefined ? bank.close() : bank.registry.remove(SANDBOX)),
  };
}

/** The input for the recording of an operation. */
interface Stage {
  readonly bank: RecordedBank;
  readonly situations: Situations;
  readonly codes: readonly RefusalCode[];
}

/** Records one operation with these refusals. */
export async function recordOperation(
  { name, formatRefusal }: ApiDocument,
  row: OperationRow,
  { bank, situations, codes }: Stage,
): Promise<Recorded> {
  const isControl = name === 'sandbox';
  const scene = () => setScene(name, row, isControl ? undefined : bank);

  const isRefused = (reply: Reply, code: RefusalCode): boolean => {
    const expected = formatRefusal(refuse(code), row);
    return reply.status === statusIn(name, code) && codeIn(reply.body) === codeIn(expected);
  };

  const refusals = new Map<RefusalCode, { body: object; by: Provoked['by'] }>();
  const note = (code: RefusalCode, { body }: Reply, by: Provoked['by']): void => {
    refusals.set(code, { body: withRequestId(body as object), by });
  };
  /** Whether the sandbox counted a refusal with this code; if no sandbox was reached, the response is sufficient. */
  const counted = (sandbox: Sandbox, code: RefusalCode): number =>
    sandbox.coverage.report([]).shares.error_codes.counts[code] ?? 0;

  const open = await scene();
  let success: Reply;
  let events: readonly RecordedEvent[];
  try {
    for (const code of codes) {
      for (const draft of provocationsOf(code, open.draft, open.seeded)) {
        const before = counted(open.sandbox, code);
        const reply = await open.bank.send(wireOf(draft), draft.setup);
        const isReached = !isControl && reply.status !== 401;
        if (isRefused(reply, code) && (!isReached || counted(open.sandbox, code) > before)) {
          note(code, reply, 'request');
          break;
        }
      }
      if (refusals.has(code)) continue;
      const reply = await situations.refuse(code, open.draft);
      if (reply !== undefined && isRefused(reply, code)) note(code, reply, 'request');
    }
  } finally {
    await open.end();
  }

  for (const code of codes) {
    for (const condition of CONDITIONS[code] ?? []) {
      if (refusals.has(code)) break;
      const under = await scene();
      const send = (draft: Draft) => under.bank.send(wireOf(draft));
      const draft = await condition({ ...under, send });
      const before = counted(under.sandbox, code);
      const reply = await send(draft);
      if (isRefused(reply, code) && counted(under.sandbox, code) > before) note(code, reply, 'request');
      await under.end();
    }
  }

  const stage = await scene();
  try {
    const before = stage.sandbox.outbox.latestSeq();
    success = await stage.bank.send(wireOf(stage.draft));
    if (success.status !== row.status) {
      throw new Error(`${row.id}: ${success.status} ${success.bytes.toString().slice(0, 500)}`);
    }
    const atOnce = stage.sandbox.outbox.latestSeq();
    // A second request may be refused because it is too late.
    const again = await stage.bank.send(wireOf(stage.draft));
    for (const code of codes) if (!refusals.has(code) && isRefused(again, code)) note(code, again, 'request');
    for (const code of codes) {
      if (refusals.has(code)) continue;
      const reply = isControl
        ? await stage.bank.sendFailing(wireOf(stage.draft), code)
        : await sendWithFault(stage, code, statusIn(name, code));
      if (!isRefused(reply, code)) throw new Error(`${row.id}: no fault causes ${code}: ${reply.bytes}`);
      note(code, reply, 'fault');
    }
    events = name === 'sandbox' ? [] : await eventsSince(stage, name, { before, atOnce });
  } finally {
    await stage.end();
  }

  return { operation: { ...answerOf(success), events }, refusals };
}

async function sendWithFault(
  { bank, call, draft }: Scene,
  code: RefusalCode,
  status: number,
): Promise<Reply> {
  await call('DELETE', '/_sandbox/faults');
  await call('POST', '/_sandbox/faults', { error: { status, code } });
  return bank.send(wireOf(draft));
}

const LONGEST_ANSWER = 6000;
const SHOWN_ITEMS = 2;

/** The response if it is JSON or text. In a long one, each list is cut to its first items. */
function answerOf({ body }: Reply): Pick<RecordedOperation, 'answer' | 'isShortened'> {
  // An HTML page is too long, and a part of it is useless.
  if (body === undefined || (typeof body === 'string' && body.length > LONGEST_ANSWER)) return {};
  if (JSON.stringify(body).length <= LONGEST_ANSWER) return { answer: body };
  return { answer: shorten(body), isShortened: true };
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map(shorten);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
}

/** The events of the operation's changes in its version: immediate ones, and those of the following days. */
async function eventsSince(
  { sandbox, call }: Scene,
  name: 'v1' | 'v2',
  { before, atOnce }: { before: number; atOnce: number },
): Promise<RecordedEvent[]> {
  const { outbox } = sandbox;
  const calledAgain = outbox.latestSeq();
  await call('DELETE', '/_sandbox/faults');
  await call('POST', '/_sandbox/clock/advance', AFTERWARDS);
  const about = new Set<string>();
  const events: RecordedEvent[] = [];
  let steps: readonly When[] = [];
  let isTold = true;
  for (let seq = before + 1; seq <= outbox.latestSeq(); seq += 1) {
    const fact = outbox.fact(seq);
    if (fact === undefined || (seq > atOnce && seq <= calledAgain)) continue;
    if (seq <= atOnce) about.add(fact.resourceId);
    else if (!about.has(fact.resourceId)) continue;
    const kinds = kindsIn(name, fact);
    if (seq > atOnce && (kinds.length > 0 || fact.resource === 'transaction')) {
      const step = stepOf(fact);
      // The steps since the event before; several facts can come of one step.
      if (isTold) steps = steps.at(-1) === step ? steps : [];
      if (steps.at(-1) !== step) steps = [...steps, step];
      isTold = kinds.length > 0;
    }
    for (const kind of kinds) {
      if (events.some((event) => event.kind === kind && event.steps === steps)) continue;
      events.push({ kind, steps });
    }
  }
  return events;
}

/** The scheduled step that wrote a fact: of a payment the one that leads to its status, of a holder the check. */
function stepOf({ resource, record }: Fact): When {
  if (resource !== 'transaction') return 'verification';
  const { rail, status } = record as FactRecords['transaction'];
  const { steps, timetable } = railOf(rail);
  for (const [from, { event, when }] of Object.entries(timetable)) {
    if (steps[from as TransactionStatus]?.[event]?.to === status) return when;
  }
  throw new Error(`no scheduled step of ${rail} leads to ${status}`);
}

/** The code in an error body. In v1, some codes name the type of the holder, which depends on the field. */
function codeIn(body: unknown): string {
  const { code, error } = (body ?? {}) as { code?: string; error?: { code?: string } };
  return String(code ?? error?.code).replace(/_(PERSON|BUSINESS)(?=_|$)/, '_HOLDER');
}

/** Replaces the request id by a constant, so that operations can share an error body. */
function withRequestId(body: object): object {
  if ('request_id' in body) return { ...body, request_id: formatV2('request', REQUEST) };
  return 'requestId' in body ? { ...body, requestId: formatV1('request', REQUEST) } : body;
}

/** Records all operations of a document. */
export async function recordDocument(name: Name): Promise<Recording> {
  const document = API_DOCUMENTS.find((known) => known.name === name);
  if (document === undefined) throw new Error(`there is no document ${name}`);
  const bank = openBank();
  const situations = createSituations();
  try {
    const operations: Record<string, RecordedOperation> = {};
    const refusals: Record<string, object> = {};
    const provoked: Provoked[] = [];
    for (const row of document.operations) {
      const codes = refusalCodesOf(name, row);
      const recorded = await recordOperation(document, row, { bank, situations, codes });
      const names: Record<string, string> = {};
      for (const [code, { body, by }] of recorded.refusals) {
        names[code] = pool(refusals, code, row, body);
        provoked.push({ id: row.id, code, by });
      }
      operations[row.id] = { ...recorded.operation, refusals: names };
    }
    return { answers: { ids: idsOf(bank.registry.default()), operations, refusals }, provoked };
  } finally {
    await bank.close();
    await situations.close();
  }
}

/** Names a shared error body by its code and method, and any other by the id of its operation. */
function pool(
  refusals: Record<string, object>,
  code: RefusalCode,
  { id, method }: OperationRow,
  body: object,
): string {
  const text = JSON.stringify(body);
  for (const name of [`${code}.${method}`, `${code}.${id}`]) {
    const known = refusals[name];
    if (known !== undefined && JSON.stringify(known) !== text) continue;
    refusals[name] = body;
    return name;
  }
  throw new Error(`${id} has two bodies for ${code}`);
}

/** The ids of the seeded records, which another bank replaces by its own. */
function idsOf(sandbox: Sandbox): Record<string, string> {
  const ids = { ...namedIds(sandbox), ...seededIds(sandbox) };
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => /[0-9a-f]{12}$/.test(id)));
}

/** Formats a recording as a file with one entry per line. */
export function printRecording({ ids, operations, refusals }: RecordedAnswers): string {
  const list = (entries: object): string =>
    Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n');
  return `{"ids":{\n${list(ids)}},\n"operations":{\n${list(operations)}},\n"refusals":{\n${list(refusals)}}}\n`;
}
