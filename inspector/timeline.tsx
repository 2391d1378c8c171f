/** What happened, on a line of time: seconds, hours and days beside each other, so the line is not to scale. */
import type { ComponentChildren } from 'preact';
import { When } from './parts.tsx';

export interface Moment {
  readonly at: string;
  /** In a few words, which say by themselves what the mark says by its shape. */
  readonly title: ComponentChildren;
  readonly kind: 'good' | 'bad' | 'waiting' | 'plain';
  readonly detail?: ComponentChildren;
}

const WIDTH = 1_000;
const EDGE = 24;
const LINE_Y = 18;
/** Two words closer than this would run into each other. */
const LABEL_PX = 70;
const UNITS: readonly [seconds: number, word: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** How much later, in one unit. */
function later(seconds: number): string {
  const [size, word] = UNITS.find(([least]) => seconds >= least) ?? [1, 's'];
  return `+${Math.round(seconds / size)} ${word}`;
}

/** Draws the moments, the first at the left, and lists them. */
export function Timeline({ moments, label }: { moments: readonly Moment[]; label: string }) {
  const sorted = moments.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  const start = Date.parse(sorted[0]?.at ?? '');
  const after = sorted.map(({ at }) => Math.max(0, (Date.parse(at) - start) / 1_000));
  const whole = Math.log1p(after.at(-1) ?? 0) || 1;
  const places = after.map((seconds) => EDGE + (Math.log1p(seconds) / whole) * (WIDTH - 2 * EDGE));
  let labelled = Number.NEGATIVE_INFINITY;
  return (
    <div class="timeline">
      <svg viewBox={`0 0 ${WIDTH} 44`} role="img" aria-label={label}>
        <line x1={EDGE} x2={WIDTH - EDGE} y1={LINE_Y} y2={LINE_Y} />
        {sorted.map(({ at, kind }, index) => {
          const x = places[index] ?? EDGE;
          const isLabelled = x - labelled >= LABEL_PX;
          if (isLabelled) labelled = x;
          return (
            <g key={`${at} ${index}`} class={kind}>
              {kind === 'bad' ? (
                <path d={`M${x - 6} ${LINE_Y - 6}l12 12m0-12l-12 12`} />
              ) : (
                <circle cx={x} cy={LINE_Y} r="6" />
              )}
              {isLabelled && (
                <text x={x} y="41" text-anchor={index === 0 ? 'start' : x > WIDTH - 60 ? 'end' : 'middle'}>
                  {index === 0 ? at.slice(11, 19) : later(after[index] ?? 0)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <ol class="plain-list">
        {sorted.map(({ at, title, detail }, index) => (
          <li key={`${at} ${index}`}>
            <When at={at} isLong /> {title} {detail}
          </li>
        ))}
      </ol>
    </div>
  );
}
