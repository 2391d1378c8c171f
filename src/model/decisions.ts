/**
 * Who decided that something goes as it goes, noted when it was decided and never guessed later. What goes its ordinary
 * way has no note.
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';

/** In the order of their precedence: an explicit call, a rule, a published magic value, the bank's own controls. */
type DecisionSource = 'simulate' | 'rule' | 'magic' | 'control' | 'real_time_authorization';

/** One decision about a transaction, a card, a holder or an account. */
export interface Decision {
  subjectId: Id;
  /** Its place among the decisions about the same thing, from 1. */
  number: number;
  at: Instant;
  source: DecisionSource;
  /** Which of its kind: `rule 2`, `v1_receive_ach`, `limit.max_spend_amount`, `return`. */
  name: string;
  /** What it brought about, or will: `declined: spendLimit`, `return R01 in clearing`. */
  effect: string;
  message: string;
  /** The figures that it was made on, as the wire writes them. */
  numbers: Record<string, string>;
}

/** What a client answered in time, or what stood in for it. */
export interface RtaDecision {
  id: Id;
  kind: 'card' | 'ach';
  accountId: Id;
  cardId: Id | '';
  transactionId: Id;
  amount: Cents;
  answer: 'approved' | 'declined';
  decidedBy: 'receiver' | 'stand_in';
  /** `null` when nobody answered. */
  httpStatus: number | null;
  durationMs: number;
  error: string;
  askedAt: Instant;
}
