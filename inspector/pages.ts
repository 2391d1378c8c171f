/**
 * A list of any length: its first page is loaded and updated, and older rows are loaded when the user scrolls to its
 * end.
 */
import { useRef, useState } from 'preact/hooks';
import type { Client } from '../src/kit/client/client.ts';
import { apiKey, client, sandboxName } from './bank.ts';
import { append, NEXT_PAGE, type Page, refresh } from './joined-pages.ts';
import { type Loaded, useLive } from './live.ts';
import { changesUntilNow, versionOf } from './stream.ts';

/** The maximum number of rows on a page of v1 and v2. */
const MOST_ROWS = 100;

/** A list of v2, whose cursor is `starting_after`. */
export async function readV2<T>(
  { limit, cursor }: Query,
  list: (query: {
    limit: string;
    starting_after: string;
  }) => Promise<{ data: readonly T[]; starting_after: string }>,
): Promise<Page<T> & { readonly extra: object }> {
  const { data, starting_after: next } = await list({
    limit: String(Math.min(Number(limit), MOST_ROWS)),
    starting_after: cursor,
  });
  return { rows: data, cursor: next, extra: {} };
}

interface Query {
  readonly limit: string;
  readonly cursor: string;
}

interface Pages<T, E> {
  /** The data of the first page besides its rows. */
  readonly loaded: Loaded<E>;
  readonly rows: readonly T[];
  readonly hasMore: boolean;
  more(): Promise<void>;
}

/**
 * Loads a list. `read` reads the page after a cursor, or the first page for `''`; `depends` and `about` are those of
 * `useLive`. A row changes with the record of its key, and with those of `of`.
 */
export function usePages<T, E>(
  read: (bank: Client, query: Query) => Promise<Page<T> & { readonly extra: E }>,
  keyOf: (row: T) => string,
  depends: readonly unknown[],
  about: readonly string[],
  of: readonly string[] = [],
): Pages<T, E> {
  const place = [sandboxName.value, apiKey.value, ...depends].join('\n');
  const none = { place, rows: [], cursor: '' };
  const known = useRef<Page<T> & { readonly place: string }>(none);
  const isBusy = useRef(false);
  /** The count of changes when the list was loaded. */
  const loadedAt = useRef(0);
  const [, draw] = useState(0);
  const present = () => (known.current.place === place ? known.current : none);

  const loaded = useLive(
    async (bank) => {
      let extra: E | undefined;
      const before = loadedAt.current;
      const now = changesUntilNow();
      const readPage = async (cursor: string, limit: number): Promise<Page<T>> => {
        const next = await read(bank, { cursor, limit: String(limit) });
        extra ??= next.extra;
        return next;
      };
      const page = await refresh(present(), keyOf, readPage, (key) => versionOf([key, ...of]) > before);
      known.current = { ...page, place };
      loadedAt.current = now;
      return extra as E;
    },
    depends,
    about,
  );
  const more = async (): Promise<void> => {
    const { cursor } = present();
    if (isBusy.current || cursor === '') return;
    isBusy.current = true;
    try {
      const next = await read(client.value, { cursor, limit: String(NEXT_PAGE) });
      // The list may have started again meanwhile.
      if (present().cursor !== cursor) return;
      known.current = { ...append(present(), next, keyOf), place };
      draw((value) => value + 1);
    } catch {
      // The page is read again when the end of the list is visible again.
    } finally {
      isBusy.current = false;
    }
  };
  const { rows, cursor } = present();
  return { loaded, rows, hasMore: cursor !== '', more };
}
