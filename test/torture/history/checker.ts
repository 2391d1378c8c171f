/**
 * Checks that the balances of an account are linearizable: some order of its operations, in which each takes effect
 * between its call and its response, explains every response. The search is that of Wing and Gong, for one account at
 * a time, and stores the states from which it found no way. An operation without a response may have taken effect at
 * any time after its call, or never. Requests with one idempotency key take effect once, and all of them get the
 * first response. The search can be limited, because with many operations without responses it takes exponential
 * time; then it reports that it was cut off.
 */

/** One request as its client saw it. Amounts are cents; times are of one clock, and only their order matters. */
export interface Operation {
  readonly account: string;
  /** The change of the balance, negative for a payment; 0 for a read. */
  readonly change: number;
  /** The key that the repetitions of one request share; all have the same account and change. */
  readonly key?: string;
  readonly calledAt: number;
  /** Absent if no response arrived. */
  readonly answer?: Answer & { readonly at: number };
}

/** The balance after the operation, a refusal for lack of funds, or only that it was executed. */
export type Answer = { readonly balance: number } | { readonly refused: true } | { readonly done: true };

/** The result of a search; `cut` if it reached the maximum number of states. */
export type Verdict = 'linearizable' | 'anomalous' | 'cut';

/**
 * The first operation, in the order of the responses, up to which no order explains the history of an account.
 */
export interface Anomaly {
  readonly account: string;
  readonly operation: Operation;
}

interface State {
  /** All operations before this one are placed in the order. */
  readonly base: number;
  /** Later ones that are placed too, ascending. */
  readonly ahead: readonly number[];
  readonly balance: number;
  /**
   * The stored responses: for each key whose request has taken effect and may be repeated, the balance, or `null` for
   * a refusal.
   */
  readonly stored: ReadonlyMap<string, number | null>;
}

/**
 * The anomalies of a history, at most one per account. `initial` returns the balance of an account before it.
 */
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
    // Later responses do not repair a history, so the first bad one is found by bisection.
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

/** What was known at the response of this operation. */
function until(history: readonly Operation[], last: Operation | undefined): Operation[] {
  const at = last === undefined ? 0 : answeredAt(last);
  return history
    .filter(({ calledAt }) => calledAt <= at)
    .map((operation) => (answeredAt(operation) <= at ? operation : { ...operation, answer: undefined }))
    .map(({ answer, ...request }) => (answer === undefined ? request : { ...request, answer }));
}

const answeredAt = ({ answer }: Operation): number => answer?.at ?? Number.POSITIVE_INFINITY;

/** Whether some order explains the responses of one account. */
export function isLinearizable(history: readonly Operation[], initial: number): boolean {
  return verdictOn(history, initial) === 'linearizable';
}

/** Whether some order explains the responses of one account, within this number of states. */
export function verdictOn(
  history: readonly Operation[],
  initial: number,
  maxStates = Number.POSITIVE_INFINITY,
): Verdict {
  const operations = [...history].sort((a, b) => a.calledAt - b.calledAt);
  // For a key that is used more than once. A repetition may take effect before the request that was called first.
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
    // The last is tried first: an earlier response probably means an earlier effect, and a missing one an immediate
    // effect.
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

/**
 * The responses under each key: all of its uses get the same one, so an order with another one is wrong immediately.
 */
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

/** The operations that may be next: those called before the first remaining response. */
function candidatesIn(operations: readonly Operation[], { base, ahead }: State): number[] | 'done' {
  const placed = new Set(ahead);
  const left: number[] = [];
  /** Keys with a use without a response: of several, the one that was called first can represent all. */
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

/** The state after an operation; `undefined` if it contradicts the response. */
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
  // A key without later uses need not be stored.
  for (const known of answers.keys()) if ((lastUse.get(known) ?? 0) < nextBase) answers.delete(known);
  return {
    base: nextBase,
    ahead: placed,
    balance: isRepeated || isRefused ? balance : balance + change,
    stored: answers,
  };
}

/** Whether a balance, or `null` for a refusal, equals the response. */
function explains(given: number | null, answer: Answer): boolean {
  if ('done' in answer) return given !== null;
  return given === ('refused' in answer ? null : answer.balance);
}

/** Without a response and without a change it needs no position. */
function isWithoutEffect(
  { answer, change, key }: Operation,
  stored: ReadonlyMap<string, number | null>,
): boolean {
  return answer === undefined && (key === undefined ? change === 0 : stored.has(key));
}
