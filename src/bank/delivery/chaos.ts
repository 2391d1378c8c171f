/**
 * Injected failures of a webhook's deliveries: some are sent twice, never, late, with a wrong signature or with an old
 * time, or first attempts are sent in another order. This module only decides, by counts and by random numbers of its
 * seed, so the same deliveries fail in the same way each time; the courier executes the decisions. Chaos changes only
 * first attempts: a retry shows recovery.
 * Source: decision `delivery-chaos` in docs/fidelity.md.
 */
import { applies, type Counted, type Frequency } from '../kernel/frequency.ts';
import { createSequence } from '../kernel/sequence.ts';

/** The effects on single deliveries. */
export const CHAOS_KINDS = ['duplicate', 'drop', 'delay', 'bad_signature', 'stale_timestamp'] as const;
export type ChaosKind = (typeof CHAOS_KINDS)[number];

/** The settings: which effects, and how often. */
export interface ChaosSetting {
  readonly on: Readonly<Partial<Record<ChaosKind, Frequency>>>;
  /** The length of `delay`, on the sandbox's clock. */
  readonly delayMs: number;
  /** The number of first attempts that are reordered together; below 2 the order stays. */
  readonly shuffleSize: number;
  readonly seed: string;
}

/** The effects of chaos on an attempt. */
export interface ChaosEffects {
  /** In the order of `CHAOS_KINDS`; usually empty. */
  readonly kinds: readonly ChaosKind[];
  /** The delay of the attempt; `null` if it is sent now. */
  readonly delayMs: number | null;
}

/** Chaos with its effect so far, to be stored. */
export interface ChaosState {
  readonly setting: ChaosSetting;
  readonly counts: Record<ChaosKind, Counted>;
  readonly batches: number;
  /** The decisions about the newest deliveries. */
  readonly decided: readonly (readonly [deliverySeq: number, kinds: readonly ChaosKind[]])[];
}

export interface Chaos {
  readonly setting: ChaosSetting;
  state(): ChaosState;
  /** How often each kind was decided. */
  hits(): Record<ChaosKind, number>;
  /**
   * Decides on the first attempt of the next delivery; a repeated call for the same delivery returns the same
   * decision.
   */
  decide(deliverySeq: number): ChaosEffects;
  /**
   * The effects on the second attempt of a delivery whose first attempt was delayed; `undefined` for any other
   * delivery.
   */
  decideDelayed(deliverySeq: number): ChaosEffects | undefined;
  /**
   * Returns the waiting first attempt that is next. `waiting` has the first `shuffleSize` of the queue, or all of a
   * shorter queue; for a shorter queue the result is `undefined`, unless `isFlushed`.
   */
  next(waiting: readonly number[], isFlushed: boolean): number | undefined;
}

/** Whether chaos changes the order of first attempts. */
export const isShuffled = (chaos: Chaos | undefined): chaos is Chaos =>
  chaos !== undefined && chaos.setting.shuffleSize > 1;

/** How many decisions are kept: a repeated call comes soon, or never. */
const MAX_REMEMBERED = 10_000;
const MAX_STORED = 500;

/** Creates the chaos of one webhook, new or from a stored state. */
export function createChaos(setting: ChaosSetting, stored?: ChaosState): Chaos {
  const { on, delayMs, shuffleSize, seed } = setting;
  const counts = Object.fromEntries(
    CHAOS_KINDS.map((kind) => [kind, stored?.counts[kind] ?? { seen: 0, hits: 0 }]),
  ) as Record<ChaosKind, Counted>;
  const decided = new Map(stored?.decided);
  let batch: number[] = [];
  let batches = stored?.batches ?? 0;

  const isHit = (kind: ChaosKind): boolean => {
    const frequency = on[kind];
    const count = counts[kind];
    const isChosen =
      frequency !== undefined &&
      // Each kind has random numbers of its own, by its count: another kind's frequency does not change them.
      applies(frequency, count, () => createSequence(`${seed}/${kind}/${count.seen}`).fraction());
    counts[kind] = { seen: count.seen + 1, hits: count.hits + (isChosen ? 1 : 0) };
    return isChosen;
  };

  const kindsFor = (deliverySeq: number): readonly ChaosKind[] => {
    const known = decided.get(deliverySeq);
    if (known !== undefined) return known;
    const kinds = CHAOS_KINDS.filter(isHit);
    decided.set(deliverySeq, kinds);
    const [oldest] = decided.keys();
    if (decided.size > MAX_REMEMBERED && oldest !== undefined) decided.delete(oldest);
    return kinds;
  };

  const shuffled = (seqs: readonly number[]): number[] => {
    const sequence = createSequence(`${seed}/window/${batches}`);
    batches += 1;
    const mixed = [...seqs];
    // The new order has to differ from the old one.
    while (mixed.length > 1 && mixed.every((seq, index) => seq === seqs[index])) {
      for (let last = mixed.length - 1; last > 0; last -= 1) {
        const swapped = sequence.integer(last + 1);
        [mixed[last], mixed[swapped]] = [mixed[swapped] as number, mixed[last] as number];
      }
    }
    return mixed;
  };

  return {
    setting,
    state: () => ({ setting, counts: { ...counts }, batches, decided: [...decided].slice(-MAX_STORED) }),
    hits: () =>
      Object.fromEntries(CHAOS_KINDS.map((kind) => [kind, counts[kind].hits])) as Record<ChaosKind, number>,
    decide(deliverySeq) {
      const kinds = kindsFor(deliverySeq);
      // A delivery that is never sent has no other effect.
      if (kinds.includes('drop')) return { kinds: ['drop'], delayMs: null };
      return kinds.includes('delay') ? { kinds: ['delay'], delayMs } : { kinds, delayMs: null };
    },
    decideDelayed(deliverySeq) {
      const kinds = decided.get(deliverySeq) ?? [];
      if (kinds.includes('drop') || !kinds.includes('delay')) return undefined;
      return { kinds: kinds.filter((kind) => kind !== 'delay'), delayMs: null };
    },
    next(waiting, isFlushed) {
      batch = batch.filter((seq) => waiting.includes(seq));
      if (batch.length === 0 && (waiting.length >= shuffleSize || isFlushed)) batch = shuffled(waiting);
      return batch[0];
    },
  };
}
