/** The states of a rail as a diagram with the path of a transaction; dagre computes the layout. */
import { useLibrary } from './library.ts';

interface Step {
  readonly from: string;
  readonly event: string;
  readonly to: string;
}

const WIDTH = 96;
const NARROW_WIDTH = 78;
const HEIGHT = 30;
/** The width of the style sheet's telephone. */
const NARROW_PX = 760;

/** Makes a scrolling element accessible by keyboard. */
function takesFocus(element: HTMLElement | null): void {
  if (element !== null) element.tabIndex = 0;
}

/** Draws the states; `path` has the previous states in order, with the current one last. */
export function Diagram({
  steps,
  path,
  label,
}: {
  steps: readonly Step[];
  path: readonly string[];
  label: string;
}) {
  const dagre = useLibrary('dagre');
  if (dagre === undefined) return <p class="soft diagram">Loading …</p>;
  const passed = new Set(path);
  const walked = new Set(path.slice(1).map((state, at) => `${path[at]} ${state}`));
  const isNarrow = document.documentElement.clientWidth < NARROW_PX;
  const stateWidth = isNarrow ? NARROW_WIDTH : WIDTH;
  const graph = new dagre.graphlib.Graph();
  // A telephone has no room for the steps side by side.
  graph.setGraph({
    rankdir: isNarrow ? 'TB' : 'LR',
    nodesep: isNarrow ? 8 : 14,
    edgesep: isNarrow ? 2 : 20,
    ranksep: isNarrow ? 28 : 56,
    marginx: isNarrow ? 2 : 6,
    marginy: 14,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  const events = new Map<string, string[]>();
  for (const { from, event, to } of steps) {
    for (const state of [from, to]) graph.setNode(state, { width: stateWidth, height: HEIGHT });
    // An event that keeps the state is a button below, and no arrow.
    if (from === to) continue;
    graph.setEdge(from, to);
    const key = `${from} ${to}`;
    events.set(key, [...(events.get(key) ?? []), event]);
  }
  for (const state of path)
    if (!graph.hasNode(state)) graph.setNode(state, { width: stateWidth, height: HEIGHT });
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const present = path.at(-1);
  return (
    <section class="diagram" aria-label="States" ref={takesFocus}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0 L8 4 L0 8 z" class="arrow" />
          </marker>
        </defs>
        {graph.edges().map(({ v, w }: { v: string; w: string }) => {
          const { points } = graph.edge(v, w) as { points: { x: number; y: number }[] };
          const key = `${v} ${w}`;
          return (
            <path
              key={key}
              class={walked.has(key) ? 'edge walked' : 'edge'}
              d={points
                .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
                .join(' ')}
              marker-end="url(#arrow)"
            >
              <title>{`${v} → ${w} by ${events.get(key)?.join(', ')}`}</title>
            </path>
          );
        })}
        {graph.nodes().map((name: string) => {
          const { x, y } = graph.node(name) as { x: number; y: number };
          const kind = name === present ? 'present' : passed.has(name) ? 'passed' : '';
          return (
            <g key={name} class={`state ${kind}`}>
              <rect x={x - stateWidth / 2} y={y - HEIGHT / 2} width={stateWidth} height={HEIGHT} rx="6" />
              <text x={x} y={y + 4} text-anchor="middle">
                {name.replaceAll('_', ' ')}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}
