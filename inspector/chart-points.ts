/** The points of a chart of a balance: by time, or by the order of the entries if the clock was set back. */

export interface Point {
  readonly at: string;
  readonly posted_balance: string;
  readonly available_balance: string;
}

export interface ChartPoints {
  /** Seconds, or the positions of the points if the clock was set back. */
  readonly x: readonly number[];
  readonly isByTime: boolean;
  /** The positions at which the clock was set back. */
  readonly setBack: readonly number[];
}

export function chartPoints(points: readonly Point[]): ChartPoints {
  const at = points.map((point) => Date.parse(point.at) / 1_000);
  const setBack = at.flatMap((seconds, place) => (seconds < (at[place - 1] ?? seconds) ? [place] : []));
  const isByTime = setBack.length === 0;
  return { x: isByTime ? at : points.map((_, place) => place), isByTime, setBack };
}
