/**
 * Checks that the balances of an account are linearizable: some order of its operations, in which each takes effect between
 * its call and its answer, explains every answer. The search is that of Wing and Gong, for one account at a time, and
 * remembers the states from which it found no way. An operation without an answer may have taken effect at any time after
 * its call, or never. Requests with one idempotency key take effect once, and all of them get the first answer. The search
 * can be bounded, because with many unanswered operations it takes exponential time; then it says that it was cut.
 */

/** One request as its client saw it. Amounts are cents; times are of one clock, and only their order matters. */
export interface Operation {
  readonly account: string;
  /** What it adds to the balance, below zero for a payment; 0 reads it. */
  readonly change: number;
  /** Shared by the retries of one request; each has the same account and change. */
  readonly key?: string;
  readonly calledAt: number;
  /** Without it no answer arrived. */
  readonly answer?: Answer & { readonly at: number };
}

/** The balance after the operation, a refusal for lack of funds, or only that it was carried out. */
export type Answer = { readonly balance: number } | { readonly refused: true } | { readonly done: true };

/** What a search came to; `cut` if it visited as many states as it may without a result. */
export type Verdict = 'linearizable' | 'anomalous' | 'cut';

/** The first operation in the order of the answers up to which no order explains the history of an account. */
export interface Anomaly {
  readonly account: string;
  readonly operation: Operation;
}

interface State {
  /** All operations before this one have their place in the order. */
  readonly base: number;
  /** Later ones that have theirs too, ascending. */
  readonly ahead: readonly number[];
  readonly balance: number;
  /** The stored answers: of each key whose request has taken effect and may be repeated, the balance, or `null` for a refusal. */
  readonly stored: ReadonlyMap<string, number | null>;
}

/** The anomalies of a history, at most one for each account. `initial` gives the balance of an account before it. */
export function anomaliesOf(
  history: readonly Operation[],
  initial: (account: string) => number,
  maxStates = Number.POSITIVE_INFINITY,
): readonly Anomaly[] {
  return [...Map.groupBy(history, ({ account }) => account)].flatMap(([account, own]) => {
    const isBad = (operations: readonly Operation[]): boolean =>
      verdictOn(operations, initial(account), maxStates) === 'anomalous';
    if (!isBad(own)) return [];
    const answered = own
      .filter((operation) => operation.answer !== undefined)
      .sort((a, b) => answeredAt(a) - answeredAt(b));
    // Answers that come later do not repair a history, so the first bad one is found by halves.
    let [good, bad] = [0, answered.length];
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      if (isBad(until(own, answered[middle - 1]))) bad = middle;
      else good = middle;
    }
    const operation = answered[bad - 1];
    return operation === undefined ? [] : [{ account, operation }];
  });
}

/** What was known when this operation was answered. */
function until(history: readonly Operation[], last: Operation | undefined): Operation[] {
  const at = last === undefined ? 0 : answeredAt(last);
  return history
    .filter(({ calledAt }) => calledAt <= at)
    .map((operation) => (answeredAt(operation) <= at ? operation : { ...operation, answer: undefined }))
    .map(({ answer, ...request }) => (answer === undefined ? request : { ...request, answer }));
}

const answeredAt = ({ answer }: Operation): number => answer?.at ?? Number.POSITIVE_INFINITY;

/** Whether some order explains the answers of one account. */
export function isLinearizable(history: readonly Operation[], initial: number): boolean {
  return verdictOn(history, initial) === 'linearizable';
}

/** Whether some order explains the answers of one account, as far as a search of so many states finds it. */
export function verdictOn(
  history: readonly Operation[],
  initial: number,
  maxStates = Number.POSITIVE_INFINITY,
): Verdict {
  const operations = [...history].sort((a, b) => a.calledAt - b.calledAt);
  // Of a key that is used more than once. A repetition may take effect before the request that was called first.
  const lastUse = new Map<string, number>();
  const used = new Set<string>();
  for (const [place, { key }] of operations.entries()) {
    if (key === undefined) continue;
    if (used.has(key)) lastUse.set(key, place);
    used.add(key);
  }
  const known = answersByKey(operations);

  const start: State = { base: 0, ahead: [], balance: initial, stored: new Map() };
  const open: State[] = [start];
  const visited = new Set<string>();
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const name = nameOf(state);
    if (visited.has(name)) continue;
    if (visited.size === maxStates) return 'cut';
    visited.add(name);
    const candidates = candidatesIn(operations, state);
    if (candidates === 'done') return 'linearizable';
    // The last is tried first: what was answered first most likely took effect first, and what was not answered at once.
    const likelyAt = (place: number): number => {
      const { calledAt, answer } = operations[place] as Operation;
      return answer?.at ?? calledAt;
    };
    candidates.sort((a, b) => likelyAt(b) - likelyAt(a));
    for (const place of candidates) {
      const next = after(operations, state, place, lastUse, known);
      if (next !== undefined) open.push(next);
    }
  }
  return 'anomalous';
}

/** What was answered under each key: all of its uses get the same answer, so an order that gives another one is wrong at once. */
function answersByKey(operations: readonly Operation[]): Map<string, Answer> {
  const known = new Map<string, Answer>();
  for (const { key, answer } of operations) {
    if (key !== undefined && answer !== undefined && !('done' in answer)) known.set(key, answer);
  }
  return known;
}

function nameOf({ base, ahead, balance, stored }: State): string {
  const answers = [...stored].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([base, ahead, balance, answers]);
}

/** The operations that may be the next: those called before any that is left was answered. */
function candidatesIn(operations: readonly Operation[], { base, ahead }: State): number[] | 'done' {
  const placed = new Set(ahead);
  const left: number[] = [];
  /** Keys with a use that was not answered: of several, the one that was called first can stand for all. */
  const unanswered = new Set<string>();
  let firstAnswer = Number.POSITIVE_INFINITY;
  for (let place = base; place < operations.length; place += 1) {
    const operation = operations[place] as Operation;
    if (operation.calledAt > firstAnswer) break;
    if (placed.has(place)) continue;
    const { key, answer } = operation;
    if (answer === undefined && key !== undefined) {
      if (unanswered.has(key)) continue;
      unanswered.add(key);
    }
    left.push(place);
    firstAnswer = Math.min(firstAnswer, answeredAt(operation));
  }
  if (firstAnswer === Number.POSITIVE_INFINITY) return 'done';
  return left.filter((place) => (operations[place] as Operation).calledAt <= firstAnswer);
}

/** The state after an operation; `undefined` if its answer says otherwise. */
function after(
  operations: readonly Operation[],
  { base, ahead, balance, stored }: State,
  place: number,
  lastUse: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, Answer>,
): State | undefined {
  const { change, key, answer } = operations[place] as Operation;
  const isRepeated = key !== undefined && stored.has(key);
  const isRefused = change < 0 && balance + change < 0;
  const given = isRepeated ? (stored.get(key) ?? null) : isRefused ? null : balance + change;
  if (isWithoutEffect(operations[place] as Operation, stored)) return undefined;
  if (answer !== undefined && !explains(given, answer)) return undefined;
  const other = key === undefined ? undefined : known.get(key);
  if (other !== undefined && !explains(given, other)) return undefined;
  const answers = new Map(stored);
  if (key !== undefined && lastUse.has(key)) answers.set(key, given);
  const placed = [...ahead, place].sort((a, b) => a - b);
  let nextBase = base;
  for (; nextBase < operations.length; nextBase += 1) {
    if (placed[0] === nextBase) placed.shift();
    else if (!isWithoutEffect(operations[nextBase] as Operation, answers)) break;
  }
  // A key that nobody uses any more need not be remembered.
  for (const known of answers.keys()) if ((lastUse.get(known) ?? 0) < nextBase) answers.delete(known);
  return {
    base: nextBase,
    ahead: placed,
    balance: isRepeated || isRefused ? balance : balance + change,
    stored: answers,
  };
}

/** Whether a balance, or `null` for a refusal, is what was answered. */
function explains(given: number | null, answer: Answer): boolean {
  if ('done' in answer) return given !== null;
  return given === ('refused' in answer ? null : answer.balance);
}

/** Nobody saw an answer and nothing changes, so it needs no place. */
function isWithoutEffect(
  { answer, change, key }: Operation,
  stored: ReadonlyMap<string, number | null>,
): boolean {
  return answer === undefined && (key === undefined ? change === 0 : stored.has(key));
}
