/**
 * Prints docs/rails.md from the tables of src/bank/model: the rails, the times of scheduled steps, and the states of
 * the records. `node build/print-rails.ts` writes the page, `--check` only checks whether the page is up to date.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  addDays,
  bankHolidays,
  dateIn,
  EASTERN,
  instantAt,
  isBankingDay,
  PACIFIC,
} from '../src/bank/kernel/calendar.ts';
import type { Machine } from '../src/bank/kernel/machine.ts';
import { formatMoney } from '../src/bank/kernel/money.ts';
import { MACHINES } from '../src/bank/model/machines.ts';
import { type ContraAccount, RAILS, type Rail, type RailStep } from '../src/bank/model/rails/index.ts';
import { RETURN_CODE_NAMES, RETURN_CODES, timeLimitOf } from '../src/bank/model/return-codes.ts';
import {
  dueAt,
  effectiveDate,
  isSameDay,
  returnableUntil,
  SAME_DAY_MAX,
  SAME_DAY_WINDOWS,
  STEPS,
  timeWords,
  type When,
} from '../src/bank/model/timetable.ts';
import { type Page, print, table } from './page.ts';

const HEAD = `<!-- Printed by build/print-rails.ts from src/bank/model: change the tables there, not this page. -->
# Rails and states

A rail is a way to move money, such as an ACH pull or a wire. Each rail is a state machine: a table of states, events and
next states, with the ledger action of each step. Holders, accounts, cards, counterparties and webhooks have state
machines too. An event that the current state does not allow is refused (v2: 400, v1 and the control plane: 409), and the error lists
the allowed events.

The ledger actions are:

- **hold** reserves the amount. **settle** turns the hold into a posting. **release** ends the hold without moving money.
- **post** moves the amount at once. **undo** posts the opposite of an earlier posting.

If the column "Second transaction" names a type, the step also creates a second transaction of this type. It is settled at once,
has the opposite direction, and has the first transaction as its parent. Money that a card hold releases is a transaction
of the type \`card_reverse\`: the whole amount after a reversal or an expiry, a part of it after a partial reversal.

A transaction is *booked* (it becomes part of the account's statement) when it is made or when it settles, depending on its rail. From then
on v1 shows it as settled, and its balance and date do not change (decision \`v1-booked-rows\` in [fidelity.md](fidelity.md)).

The timetable schedules some events. The setting [\`SANDBANK_RAILS\`](settings.md) selects the times: with \`fast\` most steps take a second,
with \`calendar\` they follow banking days. With \`manual\` nothing is scheduled, and the bank takes a step only when you simulate it. In a state
without a scheduled event, a payment waits until you simulate one.
`;

const SECOND_MS = 1000;

type NamedRail = readonly [name: string, rail: Rail];

/** Groups the rails or records that have the same state machine. */
function groupsOf<T>(all: readonly T[], machineOf: (item: T) => unknown): T[][] {
  const groups: T[][] = [];
  for (const item of all) {
    const alike = groups.find(
      ([first]) => first !== undefined && isDeepStrictEqual(machineOf(first), machineOf(item)),
    );
    if (alike === undefined) groups.push([item]);
    else alike.push(item);
  }
  return groups;
}

/** The common properties of a group of rails. The times of their scheduled steps may differ. */
const machineOf = ({ opens, steps, timetable }: Rail) => [
  opens,
  steps,
  Object.entries(timetable).map(([from, { event }]) => [from, event]),
];

const CONTRA_ACCOUNTS: Readonly<Record<ContraAccount, string>> = {
  master: 'the master account',
  sub_account: 'another sub account',
  suspense: 'suspense',
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
  return table(
    ['Rail', 'Method', 'Type', 'Direction', 'Contra account', 'First state', 'Ledger', 'Booked'],
    rows,
  );
}

function printGroup(group: readonly NamedRail[]): string {
  const title = `### ${group.map(([name]) => name).join(', ')}`;
  const [first] = group;
  if (first === undefined) return '';
  const { opens, steps } = first[1];
  const opening = `The first state is \`${opens.status}\`, ${opens.ledger === 'none' ? 'without a ledger action' : `with a ${opens.ledger}`}.`;
  const taken = Object.entries(steps).flatMap(([from, row]) =>
    Object.entries<RailStep>(row).map(([event, step]) => ({ from, event, step })),
  );
  if (taken.length === 0) return `${title}\n\n${opening} This state is final.\n`;

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
      `${from} --> ${step.to}: ${event}${isPlanned(from, event) ? ' (scheduled)' : ''}`,
  );
  const times = planned.map(({ name, from, event, when }) => [
    name,
    from,
    event,
    timeWords(when, 'fast'),
    timeWords(when, 'calendar'),
    when,
  ]);
  const parts = [
    title,
    opening,
    table(['State', 'Event', 'Next', 'Ledger', 'Second transaction', 'Scheduled'], rows),
    times.length === 0
      ? 'No step is scheduled.'
      : table(['Rail', 'State', 'Event', 'fast', 'calendar', 'In the timetable'], times),
    diagram([`[*] --> ${opens.status}`, ...arrows]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function diagram(arrows: readonly string[]): string {
  return ['```mermaid', 'stateDiagram-v2', ...arrows.map((arrow) => `  ${arrow}`), '```'].join('\n');
}

/** Prints the times of an example before a holiday, computed by the timetable. */
function printTimetable(): string {
  const date = '2026-11-25';
  const time = '10:00';
  const now = instantAt(PACIFIC, date, time);
  const at = (when: When, isRequested: boolean): string => {
    const sameDay = isSameDay(now, isRequested, 0);
    const ach = { sameDay, effectiveDate: effectiveDate(now, sameDay, '') };
    return wallTime(dueAt(when, 'calendar', now, ach) ?? now);
  };
  const rows = STEPS.map((when) => {
    const next = at(when, false);
    const same = at(when, true);
    return [
      when,
      timeWords(when, 'fast'),
      timeWords(when, 'calendar'),
      next === same ? next : `${next}; same-day ${same}`,
    ];
  });
  const example = `Example: possible at ${date} ${time} Pacific`;
  return `Each row shows how long after a step becomes possible the bank takes it. The last column is an example: a step that becomes
possible on a Wednesday morning, the day before Thanksgiving. Its times are Eastern.

${table(['Step', 'fast', 'calendar', example], rows)}
`;
}

/** The return windows, and the end of each for an entry of the day before Thanksgiving. */
function printReturns(): string {
  const effective = '2026-11-25';
  const rows = [...Map.groupBy(RETURN_CODE_NAMES, timeLimitOf)].map(([{ words, window }, codes]) => {
    const until = window === null ? null : returnableUntil(window, effective);
    return [words, codes.join(', '), until === null ? 'at any time' : wallTime(until)];
  });
  const dated = RETURN_CODES.filter(({ from, until }) => from !== '' || until !== '').map(
    ({ code, title, from, until }) => [code, title, from, until],
  );
  const rails = Object.entries<Rail>(RAILS).filter(([, { returnsInWindow }]) => returnsInWindow === true);
  return `An ACH payment (${rails.map(([name]) => name).join(', ')}) can be returned only within
the return window of the return code. The days are counted from the effective date, on which the entry settled at the other
bank. A window of banking days ends when the banks open on its last day: the return must have arrived by then. A window of
calendar days ends at the end of its last day. Both are in Eastern time. A simulated return after the window is refused,
unless \`late\` is true. Other rails have no return window. An ACH payment that was sent can be reversed within 24 hours
of its settlement. The last column shows the end of the window for the effective date ${effective}.

${table(['Time limit', 'Codes', 'Window ends, Eastern'], rows)}

Nacha has published these changes. The clock of a sandbox decides which row is in force.

${table(['Code', 'Title', 'In force from', 'Until'], dated)}
`;
}

/** The windows of the clearing house, and the largest amounts of the networks. */
function printNetworks(): string {
  const windows = SAME_DAY_WINDOWS.map(({ deadline, distribution, settlement }) => [
    deadline,
    distribution,
    settlement,
  ]);
  const limits = Object.entries<Rail>(RAILS).flatMap(([name, { max }]) =>
    max === undefined ? [] : [[name, formatMoney(max), 'refused']],
  );
  return `A same-day payment leaves with the next window of the bank, and so meets the next deadline of the clearing house:

${table(['File sent by, Eastern', 'Cleared', 'Settled'], windows)}

The networks carry these amounts at most:

${table(
  ['Rail', 'Maximum', 'Above it'],
  [
    ['ach_push, ach_pull with `same_day`', formatMoney(SAME_DAY_MAX), 'processed as an ordinary payment'],
    ...limits,
  ],
)}
`;
}

/** The Fridays before a holiday on a Saturday: the Federal Reserve is open on them. */
function openFridays(from: number, to: number): string[] {
  const days: string[] = [];
  for (let year = from; year <= to + 1; year += 1) {
    for (const { date } of bankHolidays(year)) {
      const before = addDays(date, -1);
      const isSaturday = new Date(`${date}T00:00:00Z`).getUTCDay() === 6;
      if (isSaturday && isBankingDay(before) && before < `${to + 1}`) days.push(before);
    }
  }
  return days;
}

function printNeighbours(): string {
  const [from, to] = [2026, 2032];
  const fridays = openFridays(from, to);
  return `Your own code and the libraries beside it can differ from the bank in these points:

- **Business days.** Many libraries close the Friday before a holiday that falls on a Saturday, as offices of the government do.
  The Federal Reserve is open on that Friday, and so is the bank: payments settle on it. From ${from} to ${to} these are ${fridays.length} days:
  ${fridays.join(', ')}.
- **Amounts.** The two APIs write dollars with two decimals as a text (\`"12.50"\`). A NACHA file has whole cents without a point
  (\`0000001250\`). Convert the text to whole cents, not through a floating-point number.
- **Trace numbers.** \`trace_number\` has 14 digits, as in the samples of the platform: the routing number with its check digit and
  5 digits. In a NACHA file a trace number has 15 digits: the routing number without its check digit and 7 digits. So a parser
  of NACHA files does not accept it.

[Beside other libraries](guides/libraries.md) lists libraries that agree with the bank, and the line of code that makes others agree.
`;
}

function wallTime(instant: number): string {
  const date = dateIn(EASTERN, instant);
  // No clock changes on the days of the example, so the time of day is the time since midnight.
  const minutes = Math.floor((instant - instantAt(EASTERN, date, '00:00')) / (60 * SECOND_MS));
  const two = (part: number): string => String(part).padStart(2, '0');
  const seconds = Math.floor(instant / SECOND_MS) % 60;
  return `${date} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}${seconds === 0 ? '' : `:${two(seconds)}`}`;
}

function printMachine(machines: readonly Machine[]): string {
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

The first state is ${quoted(first)}. The final state is ${quoted(finals)}.

${table(['State', 'Event', 'Next'], steps)}

${diagram(arrows)}
`;
}

function printRails(): string {
  return [
    HEAD,
    `## Rails\n\n${printOverview()}\n`,
    ...groupsOf(Object.entries<Rail>(RAILS), ([, rail]) => machineOf(rail)).map(printGroup),
    `## Timetable\n\n${printTimetable()}`,
    `## Networks\n\n${printNetworks()}`,
    `## ACH returns\n\n${printReturns()}`,
    `## Beside the bank\n\n${printNeighbours()}`,
    '## States of records\n\nOnly the platform locks and unlocks a record. An unlock restores the state before the lock.\n',
    ...groupsOf(MACHINES, ({ first, states }) => [first, states]).map(printMachine),
  ].join('\n');
}

export const RAILS_PAGE: Page = {
  path: 'docs/rails.md',
  printedBy: 'node build/print-rails.ts',
  text: printRails,
};

if (import.meta.main) print(RAILS_PAGE);
