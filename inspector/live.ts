/** Data of a screen: loaded when it opens, and again when something happened in the sandbox. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Client } from '../src/client/client.ts';
import { apiKey, client, isReachable, sandboxName } from './bank.ts';
import { changes, streamState } from './stream.ts';

const AGAIN_MS = 150;

export interface Loaded<T> {
  /** What was loaded last; it stays while it is loaded again. */
  readonly data: T | undefined;
  readonly error: unknown;
  reload(): void;
}

/**
 * Loads with the client of the sandbox on show, when `depends` changes and when something happened, one request at a time.
 * `isLive` false leaves it at the first time.
 */
export function useLive<T>(
  load: (bank: Client) => Promise<T>,
  depends: readonly unknown[] = [],
  isLive = true,
): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown }>({
    data: undefined,
    error: undefined,
  });
  const [round, setRound] = useState(0);
  const place = [sandboxName.value, apiKey.value, ...depends].join('\n');
  const current = useRef(place);
  const isBusy = useRef(false);
  const again = useRef(false);
  const change = isLive ? changes.value : 0;
  const reachable = isReachable.value;
  const bank = client.value;
  const isDeleted = streamState.value === 'deleted';

  useEffect(() => {
    if (current.current !== place) {
      current.current = place;
      setState({ data: undefined, error: undefined });
    }
    // A call would make a sandbox of the same name.
    if (isDeleted) return undefined;
    let isOver = false;
    const go = async (): Promise<void> => {
      if (isBusy.current) {
        again.current = true;
        return;
      }
      isBusy.current = true;
      try {
        const data = await load(bank);
        if (current.current === place) setState({ data, error: undefined });
      } catch (error) {
        if (current.current === place) setState((before) => ({ data: before.data, error }));
      } finally {
        isBusy.current = false;
        if (again.current && !isOver) {
          again.current = false;
          setRound((value) => value + 1);
        }
      }
    };
    const timer = setTimeout(go, round === 0 && change === 0 ? 0 : AGAIN_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [place, change, round, reachable, bank, isDeleted]);

  return { ...state, reload: () => setRound((value) => value + 1) };
}
