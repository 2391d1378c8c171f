/** The filters of a screen. They are kept in its address, so that a link and the way back find them. */
import { useSearchParams } from 'wouter-preact';

/** Sets a filter; `''` takes it out of the address. */
export type SetFilter = (name: string, value: string) => void;

/** The filters, and how to set one. With `replace` the way back does not stop at each of them, as for what is typed. */
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
