/**
 * What goes wrong with the deliveries of a webhook on request: some are sent twice, never, late, badly signed or with an old time,
 * and first attempts change places. It only decides, by counting and by draws from its seed, so the same deliveries
 * go wrong in the same way each time; the courier carries it out. First attempts alone are concerned: a retry shows recovery.
 * Source: decision `delivery-chaos` in docs/fidelity.md.
 */
import { type Counted, type Frequency, takes } from '../kernel/frequency.ts';
import { createSequence } from '../kernel/sequence.ts';

/** What may be done to single deliveries. */
export const CHAOS_KINDS = ['duplicate', 'drop', 'delay', 'bad_signature', 'stale_timestamp'] as const;
export type ChaosKind = (typeof CHAOS_KINDS)[number];

/** What is to happen, and how often. */
export interface ChaosSetting {
  readonly on: Readonly<Partial<Record<ChaosKind, Frequency>>>;
  /** How late is `delay`, on the sandbox's clock. */
  readonly delayMs: number;
  /** First attempts change places within so many; below 2 they do not. */
  readonly shuffleWindow: number;
  readonly seed: string;
}

/** What chaos does to an attempt. */
export interface ChaosEffects {
  /** In the order of `CHAOS_KINDS`; mostly none. */
  readonly kinds: readonly ChaosKind[];
  /** How much later the delivery is attempted after all; `null` for now. */
  readonly delayMs: number | null;
}

export interface Chaos {
  readonly setting: ChaosSetting;
  /** How often each kind was decided. */
  hits(): Record<ChaosKind, number>;
  /** Decides on the first attempt of the next delivery; asked again about the same one, answers the same. */
  decide(deliverySeq: number): ChaosEffects;
  /** What chaos does to the second attempt in place of a first that was delayed; `undefined` for any other delivery. */
  decideDelayed(deliverySeq: number): ChaosEffects | undefined;
  /**
   * Which of the waiting first attempts is next. `waiting` are the first of the line, as many as the window is wide or
   * all that there are; without enough of them the answer is `undefined`, unless `isReleased`.
   */
  next(waiting: readonly number[], isReleased: boolean): number | undefined;
}

/** A decision is asked for again soon, or never. */
const MOST_REMEMBERED = 10_000;

/** The chaos of one webhook, from its beginning. */
export function createChaos(setting: ChaosSetting): Chaos {
  const { on, delayMs, shuffleWindow, seed } = setting;
  const counts = Object.fromEntries(CHAOS_KINDS.map((kind) => [kind, { seen: 0, hits: 0 }])) as Record<
    ChaosKind,
    Counted
  >;
  const decided = new Map<number, readonly ChaosKind[]>();
  let window: number[] = [];
  let windows = 0;

  const isHit = (kind: ChaosKind): boolean => {
    const frequency = on[kind];
    const count = counts[kind];
    const isTaken =
      frequency !== undefined &&
      // By place, not by turn: what one kind draws does not change another's.
      takes(frequency, count, () => createSequence(`${seed}/${kind}/${count.seen}`).fraction());
    counts[kind] = { seen: count.seen + 1, hits: count.hits + (isTaken ? 1 : 0) };
    return isTaken;
  };

  const kindsFor = (deliverySeq: number): readonly ChaosKind[] => {
    const known = decided.get(deliverySeq);
    if (known !== undefined) return known;
    const kinds = CHAOS_KINDS.filter(isHit);
    decided.set(deliverySeq, kinds);
    const [oldest] = decided.keys();
    if (decided.size > MOST_REMEMBERED && oldest !== undefined) decided.delete(oldest);
    return kinds;
  };

  const shuffled = (seqs: readonly number[]): number[] => {
    const sequence = createSequence(`${seed}/window/${windows}`);
    windows += 1;
    const mixed = [...seqs];
    // An order that is the old one would be no chaos.
    while (mixed.length > 1 && mixed.every((seq, place) => seq === seqs[place])) {
      for (let last = mixed.length - 1; last > 0; last -= 1) {
        const other = sequence.integer(last + 1);
        [mixed[last], mixed[other]] = [mixed[other] as number, mixed[last] as number];
      }
    }
    return mixed;
  };

  return {
    setting,
    hits: () =>
      Object.fromEntries(CHAOS_KINDS.map((kind) => [kind, counts[kind].hits])) as Record<ChaosKind, number>,
    decide(deliverySeq) {
      const kinds = kindsFor(deliverySeq);
      // What is never sent can meet nothing else.
      if (kinds.includes('drop')) return { kinds: ['drop'], delayMs: null };
      return kinds.includes('delay') ? { kinds: ['delay'], delayMs } : { kinds, delayMs: null };
    },
    decideDelayed(deliverySeq) {
      const kinds = decided.get(deliverySeq) ?? [];
      if (kinds.includes('drop') || !kinds.includes('delay')) return undefined;
      return { kinds: kinds.filter((kind) => kind !== 'delay'), delayMs: null };
    },
    next(waiting, isReleased) {
      window = window.filter((seq) => waiting.includes(seq));
      if (window.length === 0 && (waiting.length >= shuffleWindow || isReleased)) window = shuffled(waiting);
      return window[0];
    },
  };
}
