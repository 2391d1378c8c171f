/** A table of any length. Only the visible rows are in the page, so ten thousand rows scroll like ten. */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Empty } from './parts.tsx';
import { notePosition, positionOf } from './positions.ts';

export interface Column<T> {
  readonly title: string;
  /** A width of CSS grid: `8rem`, `1fr`, ... */
  readonly width: string;
  /** The width on a telephone, if it differs. */
  readonly narrow?: string;
  readonly isMoney?: boolean;
  readonly isWideOnly?: boolean;
  cell(row: T): ComponentChildren;
}

const ROW_PX = 34;
/** The rows in the page above and below the visible ones. */
const OVERSCAN = 8;
/** Below a list that ends where the window does: the padding and margin of a box, and of the page. */
const MARGIN_PX = 42;

interface ListProps<T> {
  rows: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  label: string;
  open?: (row: T) => void;
  /** Called when the end becomes visible. */
  toEnd?: () => void;
  /** Whether the newest row is last and the end stays visible, unless the user scrolled up. */
  isFollowing?: boolean;
  /** Whether the details of an open row are shown below, which need the space. */
  isBrief?: boolean;
  /** Whether it is the last element, so that it ends at the bottom of the window. */
  isWhole?: boolean;
}

/** A table, or what `empty` says while there is no row. */
export function Table<T>({ empty, ...list }: ListProps<T> & { empty?: string }) {
  return empty !== undefined && list.rows.length === 0 ? <Empty>{empty}</Empty> : <List {...list} />;
}

function List<T>({
  rows,
  columns,
  keyOf,
  label,
  open,
  toEnd,
  isFollowing = false,
  isBrief = false,
  isWhole = isFollowing,
}: ListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, draw] = useState(0);
  const virtualizer = useRef<Virtualizer<HTMLDivElement, Element>>();
  const focus = useFocus(scroller, rows, keyOf);
  const options = {
    count: rows.length,
    // The focused row stays in the page, wherever the list is scrolled to.
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...focus.rows])].sort((left, right) => left - right),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw((value) => value + 1),
    getItemKey: (index: number) => (rows[index] === undefined ? index : keyOf(rows[index] as T)),
  };
  virtualizer.current ??= new Virtualizer(options);
  virtualizer.current.setOptions(options);
  useEffect(() => virtualizer.current?._didMount(), []);
  useLayoutEffect(() => virtualizer.current?._willUpdate());

  useLayoutEffect(focus.restore);

  // New rows above do not move the visible ones.
  const top = useRef({ key: '', at: 0 });
  // The earlier scroll position, until enough rows are loaded or the user scrolls.
  const wanted = useRef(positionOf(label));
  const isAtEnd = useRef(isFollowing && wanted.current === 0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (wanted.current > 0) {
      element.scrollTop = wanted.current;
      if (element.scrollTop >= wanted.current - 1) wanted.current = 0;
      return;
    }
    // A row that is used by keyboard stays where it is.
    if (focus.isByKeyboard) {
      element.scrollTop += focus.movedBy * ROW_PX;
      return;
    }
    if (isFollowing && isAtEnd.current) {
      element.scrollTop = element.scrollHeight;
      return;
    }
    if (element.scrollTop < ROW_PX) return;
    const { key, at } = top.current;
    if (rows[at] !== undefined && keyOf(rows[at]) === key) return;
    const now = rows.findIndex((row) => keyOf(row) === key);
    if (now >= 0) element.scrollTop += (now - at) * ROW_PX;
  }, [rows]);
  const goElsewhere = (): void => {
    wanted.current = 0;
  };
  const noteTop = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    if (wanted.current === 0) notePosition(label, scrollTop);
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < ROW_PX;
    const at = Math.floor(scrollTop / ROW_PX);
    const row = rows[at];
    if (row !== undefined) top.current = { key: keyOf(row), at };
  };

  useRoomBelow(scroller, isWhole, isAtEnd);
  const items = virtualizer.current.getVirtualItems();
  const last = Math.min((virtualizer.current.range?.endIndex ?? 0) + OVERSCAN, rows.length - 1);
  useEffect(() => {
    if (toEnd !== undefined && rows.length > 0 && last >= rows.length - 5) toEnd();
  }, [last, rows.length]);

  const setWidths = (element: HTMLElement | null): void => {
    element?.style.setProperty('--wide', widthsOf(columns, true));
    element?.style.setProperty('--narrow', widthsOf(columns, false));
  };
  /** The height of its rows, at most a part of the window. */
  const fitted = (element: HTMLDivElement | null): void => {
    scroller.current = element;
    element?.style.setProperty('--rows', `${rows.length * ROW_PX + 2}px`);
  };
  const onKey = (event: KeyboardEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('[role=row][data-at]');
    if (row === null) return;
    const at = Number(row.dataset.at);
    if (event.key === 'Enter' && event.target === row) open?.(rows[at] as T);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next === undefined || rows[next] === undefined) return;
    event.preventDefault();
    goElsewhere();
    virtualizer.current?.scrollToIndex(next);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus());
  };

  return (
    <div class="table" role="table" aria-label={label} aria-rowcount={rows.length + 1} ref={setWidths}>
      <div role="rowgroup">
        <div class="row head" role="row">
          {columns.map((column) => (
            <span role="columnheader" class={classOf(column)} key={column.title}>
              {column.title}
            </span>
          ))}
        </div>
      </div>
      <div
        class={isBrief ? 'rows brief' : 'rows'}
        role="rowgroup"
        ref={fitted}
        onKeyDown={onKey}
        onScroll={noteTop}
        onWheel={goElsewhere}
        onPointerOver={titleOfCut}
        onPointerDown={goElsewhere}
      >
        <div
          ref={(element) =>
            element?.style.setProperty('height', `${virtualizer.current?.getTotalSize() ?? 0}px`)
          }
        >
          {items.map(({ index, start, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                class={`row ${open === undefined ? '' : 'opens'}`}
                role="row"
                aria-rowindex={index + 2}
                data-at={index}
                tabIndex={0}
                key={key}
                ref={(element) => element?.style.setProperty('transform', `translateY(${start}px)`)}
                onClick={(event) => (event.target as Element).closest('a, button') === null && open?.(row)}
              >
                {columns.map((column) => (
                  <span role="cell" class={classOf(column)} key={column.title}>
                    {column.cell(row)}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const classOf = ({ isMoney, isWideOnly }: Pick<Column<never>, 'isMoney' | 'isWideOnly'>): string =>
  `${isMoney ? 'right' : ''} ${isWideOnly ? 'wide-only' : ''}`;

function widthsOf<T>(columns: readonly Column<T>[], isWide: boolean): string {
  return columns
    .filter(({ isWideOnly }) => isWide || !isWideOnly)
    .map(({ width, narrow = width }) => (isWide ? width : narrow))
    .join(' ');
}

/** Shows the whole text of a cell that is cut off, under the pointer. */
function titleOfCut({ target }: Event): void {
  const cell = (target as Element).closest<HTMLElement>('[role=cell]');
  if (cell !== null) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : '';
}

interface Focus {
  /** The index of the focused row, if there is one. */
  readonly rows: readonly number[];
  /** Whether the user moves in the list by keyboard. */
  readonly isByKeyboard: boolean;
  /** How many rows further down the focused row is than at the last time. */
  readonly movedBy: number;
  /** Called when the rows are in the page. */
  restore(): void;
}

const NO_FOCUS: Focus = { rows: [], isByKeyboard: false, movedBy: 0, restore() {} };

/**
 * Keeps the focus in its row. Without this it is lost when the list is read again, because the browser takes it from
 * an element that is moved. If the row is gone, the row in its place gets the focus.
 */
function useFocus<T>(
  place: { readonly current: HTMLElement | null },
  rows: readonly T[],
  keyOf: (row: T) => string,
): Focus {
  const before = useRef(rows);
  const old = before.current;
  useLayoutEffect(() => {
    before.current = rows;
  });
  const focused = document.activeElement;
  const row = focused?.closest<HTMLElement>('[data-at]');
  if (!(focused instanceof HTMLElement) || !row || place.current?.contains(row) !== true) return NO_FOCUS;
  const at = Number(row.dataset.at);
  const key = old[at] === undefined ? '' : keyOf(old[at]);
  const found = rows[at] === old[at] ? at : rows.findIndex((one) => keyOf(one) === key);
  const now = found < 0 ? Math.min(at, rows.length - 1) : found;
  return {
    rows: now < 0 ? [] : [now],
    isByKeyboard: focused.matches(':focus-visible'),
    movedBy: found < 0 ? 0 : found - at,
    restore() {
      if (document.activeElement === focused) return;
      const next = focused.isConnected
        ? focused
        : place.current?.querySelector<HTMLElement>(`[data-at="${now}"]`);
      next?.focus({ preventScroll: true });
    },
  };
}

/**
 * Ends the list at the bottom of the window, even if content is added above; a following list keeps its newest row
 * visible.
 */
function useRoomBelow(
  place: { readonly current: HTMLElement | null },
  isWanted: boolean,
  isAtEnd: { readonly current: boolean },
): void {
  useEffect(() => {
    const main = document.getElementById('main');
    if (!isWanted || main === null) return undefined;
    const fit = (): void => {
      const list = place.current;
      if (list === null) return;
      list.style.setProperty('--above', `${list.getBoundingClientRect().top + scrollY + MARGIN_PX}px`);
      if (isAtEnd.current) list.scrollTop = list.scrollHeight;
    };
    const watcher = new ResizeObserver(fit);
    watcher.observe(main);
    return () => watcher.disconnect();
  }, []);
}
