/**
 * Cleans up the records that a run has created on a side, the newest first. Webhooks, attachments and contacts are
 * deleted, cards and accounts are closed, holders and counterparties are deactivated. Records that cannot be removed
 * are reported. A creation without a response may have happened, so the lists are searched for the mark of the run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { valueAt } from './scenario.ts';
import type { Call, Outcome, Side } from './side.ts';
import { SideGone } from './side.ts';

/** A record that a run has created. */
export interface Created {
  readonly operation: string;
  readonly id: string;
  /** The step that created it. */
  readonly step: string;
  /** The request body. */
  readonly body?: unknown;
}

/** A record that could not be removed, and the reason. */
export interface LeftBehind extends Created {
  readonly reason: string;
}

interface Undo {
  /** The list that contains records of this kind. */
  readonly list: string;
  /** The request to send; `:id` is the record. */
  readonly call: Pick<Call, 'method' | 'path' | 'body' | 'files'>;
  /** A refusal is allowed and means that there is nothing to clean up. */
  readonly isOptional?: true;
  /** Further fields of the request, from the request that created the record. */
  readonly with?: (record: Created) => unknown;
  /** The request that must precede it in some states, from the record as it is read. */
  readonly first?: (path: string, record: unknown) => Call;
  /** The payment that empties the account before it can be closed. */
  readonly empties?: (id: string, amount: string, isDebt: boolean) => Call;
}

const OK = 400;
/** Real milliseconds in total to wait for pending money on a side whose clock cannot be moved. */
const PATIENCE_MS = 30_000;
const TRIES = 40;
const TRY_MS = 250;
/** The number of consecutive tries without due work after which a record is left behind. */
const IDLE_TRIES = 3;
const PAGE = '100';

/** The payment that empties an account of v2, or covers its debt. */
const emptyV2: Undo['empties'] = (id, amount, isDebt) => ({
  method: 'POST',
  path: `/v2/simulate/incoming/ach/${isDebt ? 'push' : 'pull'}`,
  body: { sub_account_id: id, amount, description: 'Compare: empty the account' },
});
const emptyV1: Undo['empties'] = (id, amount, isDebt) => ({
  method: 'POST',
  path: `/v1/account/${id}/test/ach`,
  body: { amount, txnType: isDebt ? 'credit' : 'debit', description: 'Compare: empty the account' },
});

/** A deposited check waits for its images, and its account cannot be closed before. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/n4EIwDiqkL4KAcT9GO0U4BxoAAAAAElFTkSuQmCC';
const image = { contentType: 'image/png', base64: IMAGE };

const remove = (list: string): Undo => ({ list, call: { method: 'DELETE', path: `${list}/:id` } });
const change = (list: string, status: string, empties?: Undo['empties']): Undo => ({
  list,
  call: { method: 'PATCH', path: `${list}/:id`, body: { status } },
  ...(empties !== undefined && { empties }),
});

/** A physical card that waits for its activation cannot be closed. */
const closeCard: Undo = {
  ...change('/v2/issuing/card', 'closed'),
  first: (path, card) => ({
    method: 'PATCH',
    path: `${path}/activate`,
    body: {
      expiry_month: valueAt(card, 'expiry_month'),
      expiry_year: valueAt(card, 'expiry_year'),
      last4: valueAt(card, 'last4'),
    },
  }),
};

/** The clean-up of each creation. */
const UNDO: Readonly<Record<string, Undo>> = {
  v2_create_webhook: remove('/v2/webhook'),
  v2_create_attachment: remove('/v2/attachment'),
  v2_create_card: closeCard,
  v2_replace_card: closeCard,
  v2_create_card_holder: change('/v2/issuing/card_holder', 'deactivated'),
  v2_create_counterparty: change('/v2/payments/counterparty', 'deactivated'),
  v2_create_sub_account: change('/v2/accounts/sub_account', 'closed', emptyV2),
  v2_create_sub_account_holder: change('/v2/accounts/sub_account_holder', 'deactivated'),
  v2_simulate_incoming_card_issuing: {
    list: '/v2/payments/transaction',
    call: { method: 'POST', path: '/v2/simulate/incoming/card_issuing' },
    with: ({ id, body }) => ({
      ...Object(body),
      parent_transaction_id: id,
      type: 'reverse',
      status: 'settled',
    }),
    isOptional: true,
  },
  receiveCheck: {
    list: '/v1/receive/check',
    call: { method: 'PATCH', path: '/v1/receive/check/:id/files', files: { front: image, back: image } },
    isOptional: true,
  },
  createWebhook: remove('/v1/webhook'),
  createContact: remove('/v1/contact'),
  createPlaidAccount: remove('/v1/contact'),
  createProcessorContact: remove('/v1/contact'),
  createCard: remove('/v1/card'),
  replaceCard: remove('/v1/card'),
  createAccount: change('/v1/account', 'closed', emptyV1),
  createPerson: change('/v1/person', 'deactivated'),
  createBusiness: change('/v1/business', 'deactivated'),
};

/** Records that no request can remove. */
const STAYS: Readonly<Record<string, string>> = {
  createFamily: 'no operation deletes a family',
  createWallet: 'no operation deletes a wallet',
};

/** Records that are removed after their dependent records. */
const LAST = [
  'createAccount',
  'v2_create_sub_account',
  'createBusiness',
  'createPerson',
  'v2_create_sub_account_holder',
];

/**
 * Whether a record is removed at the end of its scenario, because a webhook would receive events of later scenarios.
 */
export function isShortLived({ operation }: Created): boolean {
  return ['v2_create_webhook', 'createWebhook'].includes(operation);
}

/** The request that removes what an operation creates, with the record as `:id`; `undefined` if there is none. */
export function undoOf(operation: string): Pick<Call, 'method' | 'path' | 'body'> | undefined {
  return UNDO[operation]?.call;
}

/** Whether an operation creates a record that must be removed. */
export function isCreation(operation: string): boolean {
  return Object.hasOwn(UNDO, operation) || Object.hasOwn(STAYS, operation);
}

export interface CleanUpOptions {
  readonly side: Side;
  readonly created: readonly Created[];
  /** Creations without a response. */
  readonly unanswered: readonly string[];
  readonly run: string;
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Real milliseconds. */
  readonly now?: () => number;
}

/** Removes the created records; returns those that are left. */
export async function cleanUp(options: CleanUpOptions): Promise<LeftBehind[]> {
  const { created, now = () => performance.now() } = options;
  const left: LeftBehind[] = [];
  const end = now() + PATIENCE_MS;
  const isLate = (): boolean => options.side.pass === undefined && now() >= end;
  try {
    const found = await findUnanswered(options);
    const all = [...created, ...found].toReversed();
    const rank = ({ operation }: Created): number => LAST.indexOf(operation);
    for (const record of all.toSorted((one, other) => rank(one) - rank(other))) {
      const problem = await removeCreated(options, record, isLate);
      if (problem !== '') left.push({ ...record, reason: problem });
    }
  } catch (error) {
    if (!(error instanceof SideGone)) throw error;
    return created.map((record) => ({ ...record, reason: error.message }));
  }
  return left;
}

async function removeCreated(
  options: CleanUpOptions,
  record: Created,
  isLate: () => boolean,
): Promise<string> {
  const undo = UNDO[record.operation];
  if (undo === undefined) return STAYS[record.operation] ?? '';
  const path = undo.call.path.replace(':id', record.id);
  const body = undo.with === undefined ? {} : { body: undo.with(record) };
  let problem = '';
  let idle = 0;
  const tries = undo.empties === undefined ? 1 : TRIES;
  for (let number = 0; number < tries && idle < IDLE_TRIES; number += 1) {
    problem = undo.empties === undefined ? '' : await empty(options, record.id, path, undo.empties);
    if (problem === '') {
      problem = problemOf(await options.side.send({ ...undo.call, ...body, path }));
      if (problem === '' || undo.isOptional === true) return '';
      const present = await options.side.send({ method: 'GET', path });
      const shown = 'answer' in present ? present.answer.body : undefined;
      if (hasStatus(shown, undo.call.body)) return '';
      if (undo.first !== undefined) {
        await options.side.send(undo.first(path, shown));
        return problemOf(await options.side.send({ ...undo.call, path }));
      }
    }
    if (isLate()) return problem;
    if (number + 1 < tries && !(await letPass(options))) idle += 1;
  }
  return problem;
}

/**
 * Moves the money out of an account, or covers its debt. Returns why the account cannot be closed yet; `''` if it
 * can. Pending money must arrive first, so the caller repeats this until nothing is pending.
 */
async function empty(
  { side }: CleanUpOptions,
  id: string,
  path: string,
  empties: NonNullable<Undo['empties']>,
): Promise<string> {
  const outcome = await side.send({ method: 'GET', path });
  const problem = problemOf(outcome);
  if (problem !== '') return problem;
  const { available, pending } = balancesOf(outcome);
  if (pending !== 0) return `${pending.toFixed(2)} is pending`;
  if (available === 0) return '';
  return problemOf(await side.send(empties(id, Math.abs(available).toFixed(2), available < 0)));
}

function balancesOf(outcome: Outcome): { available: number; pending: number } {
  const body = 'answer' in outcome ? outcome.answer.body : null;
  const read = (...names: string[]): number =>
    names.reduce((sum, name) => sum + Math.abs(Number(valueAt(body, name) ?? 0)), 0);
  const available = Number(valueAt(body, 'available_balance') ?? valueAt(body, 'availableBalance') ?? 0);
  return {
    available,
    pending: read('pending_credits', 'pending_debits', 'pendingCredit', 'pendingDebit'),
  };
}

/** Whether a record already has the status that the request would give it: the platform refuses such a request. */
function hasStatus(record: unknown, body: unknown): boolean {
  const wanted = valueAt(body, 'status');
  return wanted !== undefined && valueAt(record, 'status') === wanted;
}

/** Advances the clock of a side, or waits if its clock cannot be moved. Returns whether something was due. */
async function letPass({ side, pause = sleep }: CleanUpOptions): Promise<boolean> {
  const wasDue = side.pass === undefined || (await side.pass());
  if (side.pass === undefined || !wasDue) await pause(TRY_MS);
  return wasDue;
}

function problemOf(outcome: Outcome): string {
  if ('failure' in outcome) return outcome.failure;
  const { status, body } = outcome.answer;
  // A record that no longer exists is not left behind.
  if (status < OK || status === 404 || status === 410) return '';
  return `${status} ${JSON.stringify(body).slice(0, 200)}`;
}

/** The records with the mark of the run whose creation had no response. */
async function findUnanswered({ side, created, unanswered, run }: CleanUpOptions): Promise<Created[]> {
  const found: Created[] = [];
  for (const operation of new Set(unanswered)) {
    const list = UNDO[operation]?.list;
    if (list === undefined) continue;
    const outcome = await side.send({ method: 'GET', path: list, query: { limit: PAGE } });
    const records = 'answer' in outcome ? valueAt(outcome.answer.body, 'data') : undefined;
    for (const record of Array.isArray(records) ? records : []) {
      const id = valueAt(record, 'id');
      const isOurs = typeof id === 'string' && JSON.stringify(record).includes(run);
      if (isOurs && !created.some((one) => one.id === id)) found.push({ operation, id, step: '' });
    }
  }
  return found;
}
