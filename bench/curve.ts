/**
 * Draws the payments of several instances as a picture for the guide: a line through the measured points beside the line of
 * one instance times their number. Its title and description say the same for readers who do not see it, and its colors
 * follow the theme of the reader's system.
 */
import type { InstancesSpeed } from '../build/print-speed.ts';

const WIDTH = 640;
const HEIGHT = 340;
const LEFT = 64;
const RIGHT = 24;
const TOP = 40;
const BOTTOM = 56;
/** About so many lines across the picture. */
const LINES = 5;

/** The picture as SVG. */
export function drawCurve({ share, points }: InstancesSpeed): string {
  const one = points[0]?.payments ?? 0;
  const last = points.at(-1)?.instances ?? 1;
  const most = Math.max(last * one, ...points.map(({ payments }) => payments));
  const step = roundStep(most / LINES);
  const top = Math.ceil(most / step) * step;
  const x = (instances: number): string => (LEFT + (instances / last) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (payments: number): string =>
    (HEIGHT - BOTTOM - (payments / top) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const levels = Array.from({ length: Math.round(top / step) + 1 }, (_, number) => number * step);
  const described = points
    .map(({ instances, payments }) => `${instances}: ${Math.round(payments)}`)
    .join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="t d" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" font-size="13">
  <title id="t">Payments per second of several instances</title>
  <desc id="d">Each instance has ${share} of a core. Payments per second by the number of instances: ${described}. A dashed line shows ${Math.round(one)} for each instance.</desc>
  <style>
    .page { fill: #ffffff; }
    .grid { stroke: #d1d9e0; }
    .linear { stroke: #59636e; stroke-dasharray: 5 5; }
    .measured { stroke: #0b6e5f; stroke-width: 2.5; fill: none; }
    .point { fill: #0b6e5f; }
    text { fill: #1f2328; }
    .small { fill: #59636e; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; }
      .grid { stroke: #30363d; }
      .linear { stroke: #9198a1; }
      .measured { stroke: #4cc2ad; }
      .point { fill: #4cc2ad; }
      text { fill: #f0f6fc; }
      .small { fill: #b1bac4; }
    }
  </style>
  <rect class="page" width="${WIDTH}" height="${HEIGHT}"/>
${levels
  .map(
    (level) => `  <path class="grid" d="M${LEFT} ${y(level)}H${WIDTH - RIGHT}"/>
  <text class="small" x="${LEFT - 8}" y="${y(level)}" dy="4" text-anchor="end">${level}</text>`,
  )
  .join('\n')}
  <text x="${LEFT}" y="${TOP - 16}">Payments per second</text>
  <path class="linear" d="M${x(0)} ${y(0)}L${x(last)} ${y(last * one)}"/>
  <path class="measured" d="M${points.map(({ instances, payments }) => `${x(instances)} ${y(payments)}`).join('L')}"/>
${points
  .map(
    ({ instances, payments }) => `  <circle class="point" cx="${x(instances)}" cy="${y(payments)}" r="4"/>
  <text x="${x(instances)}" y="${y(payments)}" dy="22" text-anchor="${instances === last ? 'end' : 'middle'}" font-weight="600">${Math.round(payments)}</text>
  <text class="small" x="${x(instances)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${instances}</text>`,
  )
  .join('\n')}
  <text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">Instances, ${share} of a core each; dashed: one instance times their number</text>
</svg>
`;
}

/** A step of 1, 2 or 5 times a power of ten, which is at least this one. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
