/**
 * The last line of a command that succeeded: the usual next command. It goes to stderr and only to a terminal, so
 * scripts and programs do not read it.
 */
import type { Command } from 'commander';
import { paint } from './colour.ts';
import type { Shell } from './shell.ts';

const CHANGED = 'sandbank logs --limit 5';
const EVENTS = 'sandbank events --limit 5';
const LOOK = 'sandbank open';

/** The next command and its purpose, by the words of the command. */
export const NEXT: Readonly<Record<string, string>> = {
  env: 'in a shell: eval "$(sandbank env)"',
  doctor: 'sandbank open shows the bank; sandbank start starts a bank',
  get: 'sandbank explain <id> explains the state of a record',
  post: EVENTS,
  patch: EVENTS,
  put: EVENTS,
  delete: EVENTS,
  open: 'sandbank listen prints events as they happen',
  logs: 'sandbank explain <id> explains the state of a record of a response',
  explain: 'sandbank clock settle settles every payment; sandbank events lists the events',
  trace: 'open the file in a browser; it needs no network',
  compare: 'sandbank compare --help lists the options that select an operation',
  proxy: 'sandbank compare <file> replays the recording here',
  listen: 'sandbank resend <event> sends one of them again',
  trigger: EVENTS,
  events: 'sandbank explain <event> explains why one has not arrived; sandbank resend <event> sends it again',
  'webhook list': 'sandbank webhook attempts --help: list the deliveries of an event',
  'webhook add': 'sandbank webhook send-example <webhook> tests the receiver',
  'webhook received': 'sandbank trigger --list prints the event types that you can cause',
  'webhook delete': 'sandbank webhook list',
  'webhook send-example': 'sandbank trigger --list prints the event types that you can cause',
  'webhook attempts': 'sandbank resend <event> sends it again',
  resend: 'sandbank webhook attempts <event> shows what the receiver answered',
  replay: EVENTS,
  'clock show': 'sandbank clock advance 1d, or sandbank clock settle until every payment has settled',
  'clock advance': EVENTS,
  'clock settle': EVENTS,
  'clock freeze': 'sandbank clock advance 1d moves it; sandbank clock run continues it',
  'clock run': 'sandbank clock freeze stops it',
  'simulate transaction': EVENTS,
  'simulate incoming': EVENTS,
  'simulate authorize': 'sandbank simulate authorization <transaction> capture',
  'simulate refund': EVENTS,
  'simulate authorization': EVENTS,
  'simulate holder': EVENTS,
  'simulate account': EVENTS,
  'simulate card': EVENTS,
  'fault add': 'sandbank fault list counts the affected requests; sandbank fault clear deletes it',
  'fault list': 'sandbank fault clear deletes all of them',
  'fault delete': 'sandbank fault list',
  'fault clear': CHANGED,
  'rule add': 'sandbank rule list shows the rules in their order',
  'rule set': 'sandbank rule list shows the rules in their order',
  'rule list': 'sandbank rule clear deletes all of them',
  'rule clear': 'sandbank rule list',
  'sandbox list': 'sandbank env --key <key> prints the ids of one',
  'sandbox create': 'sandbank env --key <key> prints its ids',
  'sandbox delete': 'sandbank sandbox list',
  'snapshot take': 'sandbank snapshot restore <name> restores it',
  'snapshot restore': LOOK,
  'snapshot list': 'sandbank snapshot restore <name> restores a snapshot',
  'snapshot delete': 'sandbank snapshot list',
  reset: 'sandbank env prints the ids, which are new',
  seed: 'sandbank env prints the ids of the new records',
  export: 'sandbank import <file> imports it into a sandbox',
  import: LOOK,
  skill: 'save it where your agent looks for skills; sandbank mcp serves tools to it',
  'cluster init': 'sandbank cluster dev runs an instance on this machine',
};

/** Commands without a next command, by the reason. */
export const WITHOUT_NEXT: Readonly<Record<string, string>> = {
  start: 'its welcome text ends with a first request',
  exec: 'the output of the program comes last',
  'cluster dev': 'its welcome text ends with a first request',
  'cluster bucket': 'it serves until it is stopped',
  'cluster instance': 'it prints its log until it is stopped',
  mcp: 'a program reads its output',
  healthcheck: 'its exit code is the answer',
};

/** The words of a command, without the name of the program. */
export function wordsOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : `${wordsOf(parent)} ${command.name()}`.trim();
}

/** Prints the next command after every command that a person ran. */
export function sayNext(program: Command, shell: Shell): void {
  program.hook('postAction', (_, command) => {
    const next = NEXT[wordsOf(command)];
    if (next === undefined || !shell.isTerminal || shell.exitCode !== 0 || command.opts().json === true)
      return;
    shell.notify(`${shell.colours.notify ? paint('dim', 'next:') : 'next:'} ${next}\n`);
  });
}
