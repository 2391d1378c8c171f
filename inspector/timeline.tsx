/** A timeline of seconds, hours and days, so it is not to scale. */
import type { ComponentChildren } from 'preact';
import { When } from './parts.tsx';
import { EDGE, placesOf } from './places.ts';

export interface Moment {
  readonly at: string;
  /** A short title, with the meaning of the shape of the mark. */
  readonly title: ComponentChildren;
  readonly kind: 'good' | 'bad' | 'waiting' | 'plain';
  readonly detail?: ComponentChildren;
}

/** The width of a label on a telephone, in percent of the timeline's. */
const LABEL = 18;
/** How much of a label is to the left of its mark. */
const LEFT_OF = { start: 0, middle: LABEL / 2, end: LABEL } as const;
/** The width of a mark. */
const MARK_PX = 16;
const LINE_Y = 18;
const UNITS: readonly [seconds: number, word: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** A duration in one unit. */
function later(seconds: number): string {
  const [size, word] = UNITS.find(([least]) => seconds >= least) ?? [1, 's'];
  return `+${Math.round(seconds / size)} ${word}`;
}

/** Draws the moments from left to right, and lists them. */
export function Timeline({ moments, label }: { moments: readonly Moment[]; label: string }) {
  const sorted = moments.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  const start = Date.parse(sorted[0]?.at ?? '');
  const after = sorted.map(({ at }) => Math.max(0, (Date.parse(at) - start) / 1_000));
  const places = placesOf(after);
  /** Where the last label ends. */
  let labelled = Number.NEGATIVE_INFINITY;
  return (
    <div class="timeline">
      <svg
        role="img"
        aria-label={label}
        ref={(element) => element?.style.setProperty('min-width', `${sorted.length * MARK_PX}px`)}
      >
        <line x1={`${EDGE}%`} x2={`${100 - EDGE}%`} y1={LINE_Y} y2={LINE_Y} />
        {sorted.map(({ at, kind }, index) => {
          const place = places[index] ?? EDGE;
          const anchor = index === 0 ? 'start' : place > 100 - LABEL ? 'end' : 'middle';
          const left = place - LEFT_OF[anchor];
          const isLabelled = left >= labelled;
          if (isLabelled) labelled = left + LABEL;
          return (
            <svg
              key={`${at} ${index}`}
              class={kind}
              x={`${place}%`}
              y={LINE_Y}
              overflow="visible"
              aria-hidden="true"
            >
              {kind === 'bad' ? <path d="M-6 -6l12 12m0-12l-12 12" /> : <circle r="6" />}
              {isLabelled && (
                <text y="23" text-anchor={anchor}>
                  {index === 0 ? at.slice(11, 19) : later(after[index] ?? 0)}
                </text>
              )}
            </svg>
          );
        })}
      </svg>
      <ol class="plain-list">
        {sorted.map(({ at, title, detail }, index) => (
          <li key={`${at} ${index}`}>
            <When at={at} /> {title} {detail}
          </li>
        ))}
      </ol>
    </div>
  );
}
