/**
 * The data of a screen. It is loaded when the screen opens, and again after relevant changes, at most once a second.
 * Slow data is loaded less often, so that an open page uses only a small part of the bank's time.
 */
import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../src/kit/client/client.ts';
import { apiKey, client, isReachable, sandboxName } from './bank.ts';
import { lastAsked, streamState, versionOf } from './stream.ts';

/** Changes within this time cause one load. */
const GATHER_MS = 100;
const BETWEEN_MS = 1_000;
/** The time between two loads, as a multiple of the duration of the last one. */
const BETWEEN_LOADS = 10;

export interface Loaded<T> {
  /** The last loaded data; it stays during the next load. */
  readonly data: T | undefined;
  readonly error: unknown;
  reload(): void;
}

/**
 * Loads data with the client of the shown sandbox, when `depends` changes or a record in `about` changes, one request
 * at a time. `about` names resources (`transaction`), ids, `request` or `attempt`; an empty list means every change,
 * and `null` none, so the data is loaded once. `leastMs` is the minimum time between two automatic loads.
 */
export function useLive<T>(
  load: (bank: Client) => Promise<T>,
  depends: readonly unknown[] = [],
  about: readonly string[] | null = [],
  leastMs = BETWEEN_MS,
): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown }>({
    data: undefined,
    error: undefined,
  });
  const [round, setRound] = useState(0);
  const [missed, setMissed] = useState(0);
  const place = [sandboxName.value, apiKey.value, ...depends].join('\n');
  const current = useRef(place);
  const isBusy = useRef(false);
  const again = useRef(false);
  const isGone = useRef(false);
  const loadedAt = useRef(0);
  const tookMs = useRef(0);
  const shown = useRef({ place: '', round: 0 });
  const subject = useRef(about);
  subject.current = about;
  const change = useComputed(() => (subject.current === null ? 0 : versionOf(subject.current))).value;
  const reachable = isReachable.value;
  const bank = client.value;
  const isDeleted = streamState.value === 'deleted';

  // Not delayed until the next frame, because the first rows wait for it.
  useLayoutEffect(() => {
    if (current.current !== place) {
      current.current = place;
      setState({ data: undefined, error: undefined });
    }
    if (isDeleted) return undefined;
    const go = async (): Promise<void> => {
      if (isBusy.current) {
        again.current = true;
        return;
      }
      isBusy.current = true;
      const began = performance.now();
      try {
        const data = await load(bank);
        if (current.current === place) setState({ data, error: undefined });
      } catch (error) {
        if (current.current === place) setState((before) => ({ data: before.data, error }));
      } finally {
        isBusy.current = false;
        loadedAt.current = performance.now();
        tookMs.current = loadedAt.current - began;
        if (again.current && !isGone.current) {
          again.current = false;
          setMissed((value) => value + 1);
        }
      }
    };
    // A load that the user requested starts at once.
    const isAsked = shown.current.place !== place || shown.current.round !== round;
    shown.current = { place, round };
    const between = loadedAt.current < lastAsked() ? 0 : Math.max(leastMs, BETWEEN_LOADS * tookMs.current);
    const wait = Math.max(GATHER_MS, loadedAt.current + between - performance.now());
    const timer = isAsked ? undefined : setTimeout(go, wait);
    if (isAsked) void go();
    return () => clearTimeout(timer);
  }, [place, change, round, missed, reachable, bank, isDeleted]);
  useLayoutEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );

  return { ...state, reload: () => setRound((value) => value + 1) };
}
