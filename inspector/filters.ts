/** The filters of a screen. They are part of its address, so that links and the history restore them. */
import { useSearchParams } from 'wouter-preact';

/** Sets a filter; `''` removes it from the address. */
export type SetFilter = (name: string, value: string) => void;

/**
 * The filters, and a function that sets one. With `replace` a change is not an entry in the history, for example for
 * typed text.
 */
export function useFilters(options: { replace?: boolean } = {}): [URLSearchParams, SetFilter] {
  const [search, setSearch] = useSearchParams();
  const set: SetFilter = (name, value) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    }, options);
  return [search, set];
}
