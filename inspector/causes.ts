/** The activity as one line per cause: a request with its effects, or a scheduled step of the bank. */
import type { AttemptItem, FactItem, Item, RequestItem } from './stream.ts';

/** A cause, with its effects in order. */
export interface Cause {
  readonly item: Item;
  readonly caused: readonly Item[];
  /** Its subject: the payment that it created or changed, else the first record; none for a read or a refusal. */
  readonly subject: FactItem | undefined;
  /** The last state of that record, possibly long after the cause; for retries the latest one. */
  readonly outcome: FactItem | AttemptItem | undefined;
  /** The latest attempt of each of its deliveries that has not succeeded. */
  readonly undelivered: readonly AttemptItem[];
}

/** The causes, oldest first. The retries of a delivery are one cause, at the time of the latest. */
export function causesOf(all: readonly Item[]): Cause[] {
  const requests = new Map<string, RequestItem>();
  const facts = new Map<string, FactItem>();
  const latest = new Map<string, FactItem>();
  const attempts = new Map<string, AttemptItem>();
  for (const item of all) {
    if (item.type === 'request' && item.facts !== null) {
      for (let seq = item.facts.from; seq <= item.facts.to; seq += 1) {
        // A call that moves the clock includes the facts of other calls meanwhile; the closer cause takes precedence.
        const known = requests.get(`${item.bank}.${seq}`);
        if (known === undefined || widthOf(known) > widthOf(item)) requests.set(`${item.bank}.${seq}`, item);
      }
    } else if (item.type === 'fact') {
      for (const { id } of item.events) facts.set(id, item);
      latest.set(`${item.bank} ${item.resource_id}`, item);
    } else if (item.type === 'attempt') attempts.set(deliveryOf(item), item);
  }
  const causeOf = (item: Item): Item | undefined => {
    if (item.type === 'fact') return requests.get(`${item.bank}.${item.seq}`);
    return item.type === 'attempt' && item.attempt === 1 ? facts.get(item.event_id) : undefined;
  };
  return [...groupsOf(all, causeOf)].map(([item, own]) => {
    const deliveries = [item, ...own].filter((one): one is AttemptItem => one.type === 'attempt');
    const ends = new Set(deliveries.map((one) => attempts.get(deliveryOf(one)) ?? one));
    const undelivered = [...ends].filter(({ status }) => !isAccepted(status));
    const subject = item.type === 'attempt' ? facts.get(item.event_id) : subjectOf(item, own);
    const outcome =
      item.type === 'attempt'
        ? attempts.get(deliveryOf(item))
        : subject && latest.get(`${subject.bank} ${subject.resource_id}`);
    return { item, caused: own, subject, outcome, undelivered };
  });
}

/** The causes, each with its effects in order. */
function groupsOf(all: readonly Item[], causeOf: (item: Item) => Item | undefined): Map<Item, Item[]> {
  const groups = new Map<Item, Item[]>();
  const retries = new Map<string, AttemptItem>();
  for (const item of all) {
    let root = item;
    for (let next = causeOf(item); next !== undefined; next = causeOf(next)) root = next;
    if (root.type === 'attempt') {
      root = retries.get(deliveryOf(root)) ?? root;
      retries.set(deliveryOf(root), root);
    }
    const own = groups.get(root) ?? [];
    if (root !== item) own.push(item);
    // A cause stands at its own place, and retries at that of the latest.
    if (root === item || root.type === 'attempt') groups.delete(root);
    groups.set(root, own);
  }
  return groups;
}

function subjectOf(item: Item, caused: readonly Item[]): FactItem | undefined {
  const candidates = [item, ...caused].filter((one): one is FactItem => one.type === 'fact');
  const payments = candidates.filter(({ resource }) => resource === 'transaction');
  return (
    payments.find(({ resource_id: id }) => item.type === 'request' && isNamedIn(item.path, id)) ??
    // A due step of another payment may be executed before it, within the same request.
    payments.find(({ change }) => item.type === 'request' && change === 'created') ??
    payments[0] ??
    candidates[0]
  );
}

/** The event and the webhook, which several attempts have in common. */
const deliveryOf = ({ bank, event_id: event, webhook_id: webhook }: AttemptItem): string =>
  `${bank} ${event} ${webhook}`;

const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** An id without its prefix, the same in both versions. */
const digitsOf = (id: string): string => id.slice(4).replaceAll('-', '');

const isNamedIn = (path: string, id: string): boolean =>
  path.split('/').some((part) => digitsOf(part) === digitsOf(id));

function widthOf({ facts }: RequestItem): number {
  return facts === null ? 0 : facts.to - facts.from;
}

/** The filters of the activity, which are part of the address. */
export interface Filter {
  readonly kind: string;
  readonly only: string;
  readonly text: string;
}

/** The kinds of causes, each with its name. */
export const KINDS: Readonly<Record<string, string>> = {
  '': 'everything',
  v2: 'v2 requests',
  v1: 'v1 requests',
  control: 'control plane',
  bank: 'by the bank itself',
  retry: 'retries',
};
export const ONLY: Readonly<Record<string, string>> = {
  '': 'all outcomes',
  changes: 'changes only',
  failed: 'failures only',
};

const BAD_STATES = /^(declined|returned|canceled|reversed)$/;
const isRefused = (one: Item): boolean => one.type === 'request' && (one.status === 0 || one.status >= 400);

/** True for a refused request, a delivery that has not succeeded and a failed payment. */
export function isFailure({ item, caused, outcome, undelivered }: Cause): boolean {
  return (
    undelivered.length > 0 ||
    [item, ...caused].some(isRefused) ||
    (outcome?.type === 'fact' && BAD_STATES.test(outcome.summary.status))
  );
}

function kindOf({ item }: Cause): string {
  if (item.type === 'request') return item.api_version;
  return item.type === 'fact' ? 'bank' : 'retry';
}

function wordsOf(item: Item): string {
  switch (item.type) {
    case 'request':
      return `${item.method} ${item.path} ${item.status} ${item.operation} ${item.id}`;
    case 'fact': {
      const { title, name, status, amount, reason } = item.summary;
      const types = item.events.map(({ type }) => type).join(' ');
      return `${title} ${name} ${status} ${amount} ${reason} ${item.resource} ${item.resource_id} ${types}`;
    }
    case 'attempt':
      return `${item.event_type} ${item.event_id} ${item.webhook_id} ${item.state} ${item.status} ${item.error}`;
  }
}

/** Whether a cause fits every part of the filter. */
export function fits(cause: Cause, { kind, only, text }: Filter): boolean {
  if (kind !== '' && kindOf(cause) !== kind) return false;
  if (only === 'failed' && !isFailure(cause)) return false;
  if (only === 'changes' && cause.subject === undefined && !isFailure(cause)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  return [cause.item, ...cause.caused, cause.subject, cause.outcome].some(
    (item) => item !== undefined && wordsOf(item).toLowerCase().includes(wanted),
  );
}
