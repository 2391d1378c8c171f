/**
 * What the clients of a round see of the balances of two accounts, in the order of calls and answers, and the proof that some order
 * of the requests explains all of it. A history ends with each proof, when the balances are read with nothing under way, so it
 * stays short enough for a search.
 */
import { type Anomaly, type Answer, anomaliesOf, type Operation, verdictOn } from '../history/checker.ts';

export type Account = 'first' | 'second';

/** What a request does to an account. */
export interface Effect {
  readonly account: Account;
  /** Cents; 0 reads the balance. */
  readonly change: number;
  /** Reads its balance after the request out of an answer; without it the answer only says that it was carried out. */
  balanceIn?(body: Record<string, unknown>): number;
}

/** What an answer came to: it was carried out, refused for lack of funds, had no effect, or was lost. */
export type Outcome = { readonly body: Record<string, unknown> } | 'refused' | 'without effect' | 'lost';

export interface History {
  /** Notes a call; the result notes its answer. */
  call(sandbox: string, effects: readonly Effect[], key?: string): (outcome: Outcome) => void;
  /** Forgets what was seen of a sandbox. From now on its accounts have these balances. */
  begin(sandbox: string, balances: Record<Account, number>): void;
  /** What no order explains, and how much was checked since `begin`. */
  check(sandbox: string): Checked;
}

export interface Checked {
  readonly anomalies: readonly Anomaly[];
  readonly operations: number;
  readonly accounts: number;
  /** Accounts whose search ended without a result. */
  readonly cut: number;
}

/** So many orders are tried for an account; a few seconds. */
const MAX_STATES = 30_000;

/** A history of nothing. `opening` are the balances of an account that nobody has used. */
export function createHistory(opening: Record<Account, number>, maxStates = MAX_STATES): History {
  const seen = new Map<string, { operations: Operation[]; balances: Record<Account, number> }>();
  let moment = 0;
  const now = (): number => {
    moment += 1;
    return moment;
  };
  const ownOf = (sandbox: string) => {
    const own = seen.get(sandbox) ?? { operations: [], balances: opening };
    seen.set(sandbox, own);
    return own;
  };

  return {
    call(sandbox, effects, key) {
      const { operations } = ownOf(sandbox);
      const calledAt = now();
      return (outcome) => {
        if (outcome === 'without effect') return;
        const at = now();
        for (const { account, change, balanceIn } of effects) {
          const operation = { account, change, calledAt, ...(key !== undefined && { key }) };
          const answer = answerOf(outcome, balanceIn);
          operations.push(answer === undefined ? operation : { ...operation, answer: { ...answer, at } });
        }
      };
    },
    begin: (sandbox, balances) => void seen.set(sandbox, { operations: [], balances }),
    check(sandbox) {
      const { operations, balances } = ownOf(sandbox);
      const initial = (account: string): number => balances[account as Account];
      const accounts = [...Map.groupBy(operations, ({ account }) => account)];
      const verdicts = accounts.map(([account, own]) => verdictOn(own, initial(account), maxStates));
      return {
        anomalies: verdicts.includes('anomalous') ? anomaliesOf(operations, initial, maxStates) : [],
        operations: operations.length,
        accounts: accounts.length,
        cut: verdicts.filter((verdict) => verdict === 'cut').length,
      };
    },
  };
}

function answerOf(
  outcome: Exclude<Outcome, 'without effect'>,
  balanceIn: Effect['balanceIn'],
): Answer | undefined {
  if (outcome === 'lost') return undefined;
  if (outcome === 'refused') return { refused: true };
  return balanceIn === undefined ? { done: true } : { balance: balanceIn(outcome.body) };
}

/** An anomaly with what happened around it, for a person. */
export function describeAnomaly({ account, operation }: Anomaly): string {
  const { change, key, calledAt, answer } = operation;
  return `${account} account, ${change} cents${key === undefined ? '' : ` with key ${key}`}, called at ${calledAt}: ${JSON.stringify(answer)}`;
}
