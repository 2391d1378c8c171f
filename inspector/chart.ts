/** The chart of a balance over time, as a line with steps. */
import type UPlot from 'uplot';
import { chartPoints, type Point } from './chart-points.ts';

const HEIGHT_PX = 180;

const DAY_S = 86_400;

/** The time at a mark: a date, or hours and minutes if the marks are closer than a day. */
function timeAt(seconds: number, step: number): string {
  const text = new Date(seconds * 1_000).toISOString();
  if (step >= DAY_S) return text.slice(0, 10);
  return `${text.slice(11, 16)}\n${text.slice(5, 10)}`;
}

/** Draws the points into an element, in its width; returns a function that removes them. */
export function drawBalances(uPlot: typeof UPlot, place: HTMLElement, points: readonly Point[]): () => void {
  const { x, isByTime } = chartPoints(points);
  // A variable has one colour for each theme, and the canvas needs the one that applies.
  const probe = document.createElement('span');
  place.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    soft: colour('--soft'),
    line: colour('--line'),
    good: colour('--good'),
    accent: colour('--accent'),
  };
  probe.remove();
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const axis = {
    stroke: colours.soft,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1 },
  };
  const series = (label: string, stroke: string, dash: number[] = []) => ({
    label,
    stroke,
    width: 2,
    dash,
    points: { show: points.length < 3 },
    ...(steps !== undefined && { paths: steps }),
  });
  const plot = new uPlot(
    {
      width: place.clientWidth || 600,
      height: HEIGHT_PX,
      padding: [null, 36, null, null],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      series: [
        { label: 'Time' },
        series('Available', colours.good),
        series('Posted', colours.accent, [4, 3]),
      ],
      ...(!isByTime && { scales: { x: { time: false } } }),
      axes: [
        isByTime
          ? {
              ...axis,
              space: 70,
              values: (_, places, _axis, _space, step) => places.map((at) => timeAt(at, step)),
            }
          : {
              ...axis,
              space: 90,
              values: (_: unknown, places: readonly number[]) =>
                places.map((place) => points[place]?.at.slice(0, 10) ?? ''),
            },
        { ...axis, size: 76 },
      ],
      legend: { live: false },
    },
    [
      [...x],
      points.map((point) => Number(point.available_balance)),
      points.map((point) => Number(point.posted_balance)),
    ],
    place,
  );
  const watcher = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
  watcher.observe(place);
  return () => {
    watcher.disconnect();
    plot.destroy();
  };
}
