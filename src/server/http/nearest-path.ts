/**
 * Names the served operation whose path is the nearest to a path that is not served, because most such paths are
 * misspelt. The ids in a path do not count.
 */
import { distance } from 'fastest-levenshtein';

interface Served {
  readonly method: string;
  readonly path: string;
}

/** Longer paths are no misspelt ones, and would take long to compare. */
const COMPARED_LENGTH = 200;

/** A value in a path: a parameter, a template of one, or an id, which has a digit. */
const VALUE = /^(:.*|\{.*\}|undefined|null|.*\d.*)$/;
const VERSION = /^v\d$/;

/** Creates the function that returns the sentence for the hint: `the nearest operation is GET /v2/issuing/card`. */
export function createNearestPath(
  operations: readonly Served[],
): (request: { method: string; path: string }) => string {
  const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, served]) => ({
    path,
    plain: withoutValues(path),
    methods: [...new Set(served.map(({ method }) => method))],
  }));
  return ({ method, path }) => {
    const sent = withoutValues(path.slice(0, COMPARED_LENGTH));
    // Of paths at the same distance, one that has the method.
    const far = ({ plain, methods }: (typeof paths)[number]) =>
      distance(sent, plain) + (methods.includes(method) ? 0 : 0.5);
    const nearest = paths.reduce((best, next) => (far(next) < far(best) ? next : best));
    const named = nearest.methods.includes(method) ? method : nearest.methods.join(', ');
    return `the nearest operation is ${named} ${nearest.path.replaceAll(/:(\w+)/g, '{$1}')}`;
  };
}

function withoutValues(path: string): string {
  return path
    .split('/')
    .map((segment) => (VALUE.test(segment) && !VERSION.test(segment) ? ':' : segment))
    .join('/');
}
