/** The activity as one line per cause: a request with its effects, or a scheduled step of the bank. */
import type { FactItem, Item, RequestItem } from './stream.ts';

/** A cause, with its effects in order. */
export interface Cause {
  readonly item: Item;
  readonly caused: readonly Item[];
  /** Its subject: the payment that it created or changed, else the first record; none for a read or a refusal. */
  readonly subject: FactItem | undefined;
  /** The last state of that record, possibly long after the cause. */
  readonly outcome: FactItem | undefined;
}

/** The causes, oldest first. A retry is a separate cause, because it happens when it is due. */
export function causesOf(all: readonly Item[]): Cause[] {
  const requests = new Map<string, RequestItem>();
  const facts = new Map<string, FactItem>();
  const latest = new Map<string, FactItem>();
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
    }
  }
  const causeOf = (item: Item): Item | undefined => {
    if (item.type === 'fact') return requests.get(`${item.bank}.${item.seq}`);
    return item.type === 'attempt' && item.attempt === 1 ? facts.get(item.event_id) : undefined;
  };
  const caused = new Map<Item, Item[]>();
  const roots: Item[] = [];
  for (const item of all) {
    let root: Item | undefined = causeOf(item);
    for (let next = root; next !== undefined; next = causeOf(next)) root = next;
    if (root === undefined) roots.push(item);
    else {
      const list = caused.get(root);
      if (list === undefined) caused.set(root, [item]);
      else list.push(item);
    }
  }
  return roots.map((item) => {
    const own = caused.get(item) ?? [];
    const candidates = [item, ...own].filter((one): one is FactItem => one.type === 'fact');
    const payments = candidates.filter(({ resource }) => resource === 'transaction');
    const subject =
      payments.find(({ resource_id: id }) => item.type === 'request' && isNamedIn(item.path, id)) ??
      // A due step of another payment may be executed before it, within the same request.
      payments.find(({ change }) => item.type === 'request' && change === 'created') ??
      payments[0] ??
      candidates[0] ??
      (item.type === 'attempt' ? facts.get(item.event_id) : undefined);
    const outcome = subject && (latest.get(`${subject.bank} ${subject.resource_id}`) ?? subject);
    return { item, caused: own, subject, outcome };
  });
}

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
const isBadAnswer = (status: number | null): boolean => status === null || status === 0 || status >= 400;

/** True for a refused request, a failed delivery and a failed payment. */
export function isFailure({ item, caused, outcome }: Cause): boolean {
  return (
    [item, ...caused].some((one) => one.type !== 'fact' && isBadAnswer(one.status)) ||
    (outcome !== undefined && BAD_STATES.test(outcome.summary.status))
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
  return [cause.item, ...cause.caused, ...(cause.outcome ? [cause.outcome] : [])].some((item) =>
    wordsOf(item).toLowerCase().includes(wanted),
  );
}
