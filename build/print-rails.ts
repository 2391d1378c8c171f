/**
 * Prints docs/rails.md from the tables of src/model: the rails, when the bank moves a payment by itself, and the states of
 * the nouns. `node build/print-rails.ts` writes the page, `--check` only says whether it is up to date.
 */
import { isDeepStrictEqual } from 'node:util';
import { dateIn, EASTERN, instantAt, PACIFIC } from '../src/kernel/calendar.ts';
import type { Machine } from '../src/kernel/machine.ts';
import { MACHINES } from '../src/model/machines.ts';
import { type ContraAccount, RAILS, type Rail, type RailStep } from '../src/model/rails/index.ts';
import { RETURN_CODES } from '../src/model/return-codes.ts';
import { dueAt, effectiveDate, isSameDay, returnableUntil, type When } from '../src/model/timetable.ts';
import { CALENDAR_WORDS, fastWords } from '../src/model/timetable-words.ts';
import { type Page, print, table } from './page.ts';

const HEAD = `<!-- Printed by build/print-rails.ts from src/model: change the tables there, not this page. -->
# Rails and states

A rail is one way in which money moves: a table of state, event and next state, with what each step does to the books.
A life is the same for a thing that has a status of its own. An event that is not in the row of the present state is
refused with 409 and the list of those that are.

What a step does to the books:

- **hold** reserves the amount; **settle** turns the hold into a posting; **release** ends it with nothing moved.
- **post** moves the amount at once; **undo** posts the opposite of what was posted.

A step with a *row of its own* is also recorded as a second transaction, settled at once, of that type and in the
opposite direction, with the first as its parent. What goes back of a card's hold is a \`card_reverse\`, all of it by a
reversal or an expiry, a part of it by a reversal that leaves the rest held.

A row is *booked* when it is made or when it settles: from then on v1 shows it as settled, and its balance and its date
stay as they are (decision \`v1-booked-rows\` in [fidelity.md](fidelity.md)).

Some events come by themselves, when the timetable says so: in the profile \`fast\` soon, in \`calendar\` on banking
days. In \`manual\` none does: there the bank takes only the steps that it is asked to take. A state without such an
event waits in every profile.
`;

const SECOND_MS = 1000;

type NamedRail = readonly [name: string, rail: Rail];

/** Things that live alike stand together. */
function groupsOf<T>(all: readonly T[], lifeOf: (item: T) => unknown): T[][] {
  const groups: T[][] = [];
  for (const item of all) {
    const alike = groups.find(
      ([first]) => first !== undefined && isDeepStrictEqual(lifeOf(first), lifeOf(item)),
    );
    if (alike === undefined) groups.push([item]);
    else alike.push(item);
  }
  return groups;
}

/** What of a rail is the same for those that are printed together; when its steps come by themselves may differ. */
const lifeOf = ({ opens, steps, timetable }: Rail) => [
  opens,
  steps,
  Object.entries(timetable).map(([from, { event }]) => [from, event]),
];

const CONTRA_ACCOUNTS: Readonly<Record<ContraAccount, string>> = {
  master: 'the master account',
  sub_account: 'another sub account',
  suspense: 'what waits on the master account',
};

function printOverview(): string {
  const rows = Object.entries<Rail>(RAILS).map(([name, rail]) => [
    name,
    rail.method ?? 'as the original',
    rail.type,
    `${rail.direction}, ${rail.message}`,
    CONTRA_ACCOUNTS[rail.contra],
    rail.opens.status,
    rail.opens.ledger,
    rail.booked === 'when_made' ? 'when made' : 'when settled',
  ]);
  return table(['Rail', 'Method', 'Type', 'Direction', 'Against', 'Opens as', 'Books', 'Booked'], rows);
}

function printGroup(group: readonly NamedRail[]): string {
  const title = `### ${group.map(([name]) => name).join(', ')}`;
  const [first] = group;
  if (first === undefined) return '';
  const { opens, steps } = first[1];
  const opening = `Opens in \`${opens.status}\`, ${opens.ledger === 'none' ? 'with the books untouched' : `with a ${opens.ledger}`}.`;
  const taken = Object.entries(steps).flatMap(([from, row]) =>
    Object.entries<RailStep>(row).map(([event, step]) => ({ from, event, step })),
  );
  if (taken.length === 0) return `${title}\n\n${opening} Nothing more happens to it.\n`;

  const planned = group.flatMap(([name, { timetable }]) =>
    Object.entries(timetable).map(([from, { event, when }]) => ({ name, from, event, when })),
  );
  const isPlanned = (from: string, event: string): boolean =>
    planned.some((step) => step.from === from && step.event === event);
  const rows = taken.map(({ from, event, step }) => [
    from,
    event,
    step.to,
    step.ledger,
    step.row ?? '',
    isPlanned(from, event) ? 'yes' : '',
  ]);
  const arrows = taken.map(
    ({ from, event, step }) =>
      `${from} --> ${step.to}: ${event}${isPlanned(from, event) ? ' (by itself)' : ''}`,
  );
  const times = planned.map(({ name, from, event, when }) => [
    name,
    from,
    event,
    fastWords(when),
    CALENDAR_WORDS[when],
    when,
  ]);
  const parts = [
    title,
    opening,
    table(['State', 'Event', 'Next', 'Books', 'Row of its own', 'By itself'], rows),
    times.length === 0
      ? 'Nothing happens by itself.'
      : table(['Rail', 'State', 'Event', 'fast', 'calendar', 'Step of the timetable'], times),
    diagram([`[*] --> ${opens.status}`, ...arrows]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function diagram(arrows: readonly string[]): string {
  return ['```mermaid', 'stateDiagram-v2', ...arrows.map((arrow) => `  ${arrow}`), '```'].join('\n');
}

/** Worked out by the timetable itself, for a moment before a holiday. */
function printTimetable(): string {
  const date = '2026-11-25';
  const time = '10:00';
  const now = instantAt(PACIFIC, date, time);
  const at = (when: When, isRequested: boolean): string => {
    const sameDay = isSameDay(now, isRequested);
    const ach = { sameDay, effectiveDate: effectiveDate(now, sameDay, '') };
    return wallTime(dueAt(when, 'calendar', now, ach) ?? now);
  };
  const rows = Object.keys(CALENDAR_WORDS).map((name) => {
    const when = name as When;
    const next = at(when, false);
    const same = at(when, true);
    return [name, fastWords(when), CALENDAR_WORDS[when], next === same ? next : `${next}; same-day ${same}`];
  });
  const example = `Possible ${date} ${time} Pacific`;
  return `Each row says when a step is taken that becomes possible at a moment. The last column works one moment out: a
Wednesday morning, the day before Thanksgiving. Times there are Eastern.

${table(['Step', 'fast', 'calendar', example], rows)}
`;
}

/** The windows of returns, and the end of each for an entry of the day before Thanksgiving. */
function printReturns(): string {
  const effective = '2026-11-25';
  const byWords = new Map<string, string[]>();
  for (const { code, timeLimit } of RETURN_CODES) {
    byWords.set(timeLimit.words, [...(byWords.get(timeLimit.words) ?? []), code]);
  }
  const rows = RETURN_CODES.filter(({ timeLimit: { words }, code }) => byWords.get(words)?.[0] === code).map(
    ({ timeLimit: { words, window } }) => {
      const until = window === null ? null : returnableUntil(window, effective);
      return [words, (byWords.get(words) ?? []).join(', '), until === null ? 'at any time' : wallTime(until)];
    },
  );
  const rails = Object.entries<Rail>(RAILS).filter(([, { returnsInWindow }]) => returnsInWindow === true);
  return `A return of an ACH (${rails.map(([name]) => name).join(', ')}) comes within the
window of its code. The days are counted from the effective date, on which the entry settled at the other bank, and the
window lasts to the end of its last day in Eastern time. A simulated return after it is 409, unless it is late on purpose.
Other rails have no window. An ACH that was sent is reversed within 24 hours of its settlement. The last column is the end of the window of an entry whose effective date is ${effective}.

${table(['Time limit', 'Codes', 'Last second, Eastern'], rows)}
`;
}

function wallTime(instant: number): string {
  const date = dateIn(EASTERN, instant);
  // No clock changes on the days of the example, so the time of day is what has passed since midnight.
  const minutes = Math.floor((instant - instantAt(EASTERN, date, '00:00')) / (60 * SECOND_MS));
  const two = (part: number): string => String(part).padStart(2, '0');
  const seconds = Math.floor(instant / SECOND_MS) % 60;
  return `${date} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}${seconds === 0 ? '' : `:${two(seconds)}`}`;
}

function printLife(machines: readonly Machine[]): string {
  const [machine] = machines;
  if (machine === undefined) return '';
  const { first, states } = machine;
  const steps = Object.entries(states).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => [from, event, String(to)] as const),
  );
  const finals = Object.keys(states).filter((state) => Object.keys(states[state] ?? {}).length === 0);
  const quoted = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(' or ');
  const arrows = [
    ...first.map((state) => `[*] --> ${state}`),
    ...steps.map(([from, event, to]) => `${from} --> ${to}: ${event}`),
    ...finals.map((state) => `${state} --> [*]`),
  ];
  return `### ${machines.map(({ name }) => name).join(', ')}

Begins in ${quoted(first)} and ends in ${quoted(finals)}.

${table(['State', 'Event', 'Next'], steps)}

${diagram(arrows)}
`;
}

function printRails(): string {
  return [
    HEAD,
    `## The rails\n\n${printOverview()}\n`,
    ...groupsOf(Object.entries<Rail>(RAILS), ([, rail]) => lifeOf(rail)).map(printGroup),
    `## The timetable\n\n${printTimetable()}`,
    `## Returns of ACH\n\n${printReturns()}`,
    "## The states of the records\n\n`lock` and the unlocks are the platform's; an unlock goes back to the state before.\n",
    ...groupsOf(MACHINES, ({ first, states }) => [first, states]).map(printLife),
  ].join('\n');
}

export const RAILS_PAGE: Page = {
  path: 'docs/rails.md',
  printedBy: 'node build/print-rails.ts',
  text: printRails,
};

if (import.meta.main) print(RAILS_PAGE);
