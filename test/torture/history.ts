/**
 * The balances of two accounts in the responses to the clients of a round, in the order of calls and responses, and
 * the check that some order of the requests explains all of it. A history ends with each check, when the balances are
 * read without concurrent requests, so it stays short enough for a search.
 */
import { type Anomaly, type Answer, anomaliesOf, type Operation, verdictOn } from './history/checker.ts';

export type Account = 'first' | 'second';

/** The effect of a request on an account. */
export interface Effect {
  readonly account: Account;
  /** Cents; 0 reads the balance. */
  readonly change: number;
  /**
   * Reads the balance after the request from a response; without it the response only confirms the execution.
   */
  balanceIn?(body: Record<string, unknown>): number;
}

/** The result of a request: executed, refused for lack of funds, without effect, or lost. */
export type Outcome = { readonly body: Record<string, unknown> } | 'refused' | 'without effect' | 'lost';

export interface History {
  /** Records a call; the returned function records its response. */
  call(sandbox: string, effects: readonly Effect[], key?: string): (outcome: Outcome) => void;
  /** Clears the history of a sandbox. From now on its accounts have these balances. */
  begin(sandbox: string, balances: Record<Account, number>): void;
  /** The anomalies, and how much was checked since `begin`. */
  check(sandbox: string): Checked;
}

interface Checked {
  readonly anomalies: readonly Anomaly[];
  readonly operations: number;
  readonly accounts: number;
  /** Accounts whose search ended without a result. */
  readonly cut: number;
}

/** The maximum number of orders for an account; takes a few seconds. */
const MAX_STATES = 30_000;

/** An empty history. `opening` has the balances of an unused account. */
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

/** An anomaly with the requests around it, as text. */
export function describeAnomaly({ account, operation }: Anomaly): string {
  const { change, key, calledAt, answer } = operation;
  return `${account} account, ${change} cents${key === undefined ? '' : ` with key ${key}`}, called at ${calledAt}: ${JSON.stringify(answer)}`;
}
