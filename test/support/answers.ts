/** Normalizes recorded responses for comparison: generated ids, times and numbers are replaced. */

const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}/g, '<id>'],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '<time>'],
  [/\d{4}-\d{2}-\d{2}/g, '<date>'],
  [/[\w-]{20,}/g, '<text>'],
  [/\d{4,}/g, '<digits>'],
];

const LONGEST_NUMBER = 9999;

/** Replaces the generated values of a recording. */
export function comparable<T>(recorded: T): T {
  const mask = (text: string): string => DRAWN.reduce((so, [drawn, as]) => so.replaceAll(drawn, as), text);
  return JSON.parse(JSON.stringify(recorded), (name, value: unknown) => {
    // The duration of a request, and the number of decisions.
    if (name === 'ms' || name === 'count') return `<${name}>`;
    if (typeof value === 'string') return mask(value);
    return typeof value === 'number' && value > LONGEST_NUMBER ? '<digits>' : value;
  }) as T;
}
