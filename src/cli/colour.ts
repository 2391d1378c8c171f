/**
 * Colour on a terminal: failures, successes and pending states have colours, ids and times are faint. Words alone
 * carry the meaning; pipes and files get no colour. NO_COLOR and FORCE_COLOR are respected as Node respects them.
 */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const STYLES = {
  bad: 'red',
  good: 'green',
  waiting: 'yellow',
  faint: 'dim',
} as const satisfies Record<string, Style>;

/** The styles of the bank's words; the first pattern that matches at a position decides. */
const SHOWN = new RegExp(
  [
    /(?<faint>\b[a-z]{3}[_-][0-9a-f][0-9a-f-]{20,}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z)/,
    /(?<bad>\b(?:declined|returned|failed|failing|refused|locked|blocked|dishonored|deactivated)\b|(?<= {2}|-> )[45]\d\d(?= |$)|\bE[A-Z]{5,}\b)/,
    /(?<good>\b(?:settled|delivered|activated|approved)\b|(?<= {2}|-> )2\d\d(?= |$))/,
    /(?<waiting>\b(?:pending|in_review|waiting|originated|clearing|cleared|paused)\b)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** A line of a response with colours. */
export function highlight(line: string): string {
  return line.replaceAll(SHOWN, (text, ...rest) => {
    const groups = rest.at(-1) as Record<keyof typeof STYLES, string | undefined>;
    const [kind] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    return kind === undefined ? text : paint(STYLES[kind as keyof typeof STYLES], text);
  });
}

/** A text in a style, on any stream. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false });
}

/** True for a stream that shows colours. */
export function showsColour(stream: NodeJS.WriteStream): boolean {
  return styleText('red', 'x', { stream }) !== 'x';
}
