/**
 * `sandbank fleet`: several banks that share out the slots among them. `status` says what each serves, `map` writes the file by
 * which HAProxy routes, and `move` brings slots to another bank while both run.
 * Source: decisions `fleet-slots` and `slot-moves` in docs/fidelity.md.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { SandbankError } from '../client/error.ts';
import { ALL_SLOTS, formatSlots, parseSlots, type Slot, slotInHex } from '../kernel/slots.ts';
import { CommandError, columns, explainFailure, printAnswer, UsageError } from './bank.ts';
import { banksOf, type FleetBank, type FleetOptions, talksToFleet } from './banks.ts';
import { wholeNumber } from './options.ts';
import { proxiesAt, type RunningProxy } from './proxy.ts';
import type { Shell } from './shell.ts';

interface MoveOptions extends FleetOptions {
  readonly slots: string;
  readonly from: string;
  readonly to: string;
  readonly proxy: string[];
  readonly settle: number;
}

/** What a bank says of its slots. */
type SlotsView = Awaited<ReturnType<Client['sandbox']['listSlots']>>;

interface Seen {
  readonly bank: FleetBank;
  /** Why it gave no answer; `''` where it did. */
  readonly problem: string;
  readonly view: SlotsView | null;
}

/** Long enough for a request that the proxy sent before it knew better to reach the old bank. */
const SETTLE_MS = 100;

/** Adds the command with its sub-commands. */
export function addFleet(program: Command, shell: Shell): void {
  const fleet = program
    .command('fleet')
    .description('look after several banks behind a proxy that share out the sandboxes')
    .addHelpText(
      'after',
      '\nExamples:\n  $ export SANDBANK_BANKS=bank-0=http://10.0.0.1:4800,bank-1=http://10.0.0.2:4800\n' +
        '  $ sandbank fleet status\n  $ sandbank fleet map > slots.map\n' +
        '  $ sandbank fleet move --slots 0-63 --from bank-0 --to bank-1 --proxy 127.0.0.1:9999',
    );

  talksToFleet(
    fleet
      .command('status')
      .description('what each bank serves; ends with 1 unless each slot is served by exactly one'),
  ).action(async (options: FleetOptions) => {
    const seen = await lookAt(banksOf(shell, options));
    const { unserved, twice } = judge(seen);
    const answer = {
      banks: seen.map(({ bank: { name, url }, problem, view }) => ({ name, url, problem, ...view })),
      unserved: formatSlots(unserved),
      served_twice: formatSlots(twice),
    };
    printAnswer(shell, options, answer, () =>
      [
        ...columns(seen.map(rowOf)),
        unserved.length === 0 ? '' : `no bank serves ${slotsIn(unserved)}`,
        twice.length === 0 ? '' : `more than one bank serves ${slotsIn(twice)}`,
        unserved.length + twice.length === 0 ? 'each slot is served by one bank' : '',
      ].filter((line) => line !== ''),
    );
    if (unserved.length + twice.length > 0) shell.exitCode = 1;
  });

  talksToFleet(
    fleet.command('map').description('write the map by which HAProxy routes: a line for each slot'),
  ).action(async (options: FleetOptions) => {
    const seen = await lookAt(banksOf(shell, options));
    const { unserved, twice } = judge(seen);
    if (unserved.length + twice.length > 0) {
      throw new CommandError(
        `there is no map: ${slotsIn([...unserved, ...twice])} would be served by no bank, or by several; "sandbank fleet status" shows more`,
      );
    }
    const rows = seen.flatMap(({ bank, view }) => ownedIn(view).map((slot) => ({ slot, bank: bank.name })));
    const sorted = rows.toSorted((a, b) => a.slot - b.slot);
    printAnswer(shell, options, { slots: sorted }, () =>
      sorted.map(({ slot, bank }) => `${slotInHex(slot)} ${bank}`),
    );
  });

  talksToFleet(
    fleet
      .command('move')
      .description('bring slots with their sandboxes to another bank while both run')
      .requiredOption('--slots <slots>', 'numbers and ranges, like 0-63,200')
      .requiredOption('--from <bank>', 'the bank that has them, by its name or address')
      .requiredOption('--to <bank>', 'the bank that gets them')
      .requiredOption(
        '--proxy <address>',
        "HAProxy's runtime API: the path of a socket, or host:port, where each address of the host is a proxy; may be repeated",
        (address: string, others: string[]) => [...others, address],
        [],
      )
      .option(
        '--settle <ms>',
        'how long the old bank still serves a slot after the proxy has changed',
        wholeNumber(0, 60_000),
        SETTLE_MS,
      ),
  ).action(async (options: MoveOptions) => {
    await moveAll(shell, options);
  });
}

async function moveAll(shell: Shell, options: MoveOptions): Promise<void> {
  const slots = parseSlots(options.slots);
  if (slots === undefined || slots.length === 0) {
    throw new UsageError(`--slots is ${options.slots}: expected numbers and ranges like 0-63,200`);
  }
  const banks = banksOf(shell, options);
  const [from, to] = [named(banks, options.from), named(banks, options.to)];
  if (from === to) throw new UsageError('--from and --to name the same bank');
  await requireOneRoot(from, to);
  const proxies = (await Promise.all(options.proxy.map(proxiesAt))).flat();
  const started = Date.now();
  let sandboxes = 0;
  for (const slot of slots) {
    const begun = Date.now();
    const moved = await moveSlot({ slot, banks, from, to, proxies, settleMs: options.settle });
    sandboxes += moved;
    if (options.json !== true) {
      const count = moved === 1 ? '1 sandbox' : `${moved} sandboxes`;
      shell.answer(`slot ${slot} is served by ${to.name}: ${count}, ${Date.now() - begun} ms\n`);
    }
  }
  const answer = {
    slots: formatSlots(slots),
    from: from.name,
    to: to.name,
    sandboxes,
    ms: Date.now() - started,
  };
  printAnswer(shell, options, answer, () => [
    'The proxy knows it until it starts again: write its file anew with "sandbank fleet map".',
  ]);
}

interface Move {
  readonly slot: Slot;
  readonly banks: readonly FleetBank[];
  readonly from: FleetBank;
  readonly to: FleetBank;
  readonly proxies: readonly RunningProxy[];
  readonly settleMs: number;
}

/** Moves one slot, from whichever step an earlier move broke off at; answers how many sandboxes went over. */
async function moveSlot(move: Move): Promise<number> {
  const { slot, banks, from, to, proxies, settleMs } = move;
  const reroute = async ({ name }: FleetBank): Promise<void> => {
    await Promise.all(proxies.map((proxy) => proxy.route(slotInHex(slot), name)));
  };
  const [source, target] = await Promise.all([stateOf(from, slot), stateOf(to, slot)]);
  if (target === 'served' && source === 'served') {
    throw new CommandError(
      `${from.name} and ${to.name} both serve slot ${slot}: which has the right sandboxes?`,
    );
  }
  if (target === 'served') {
    await reroute(to);
    if (source === 'leaving') await change(from, slot, 'elsewhere');
    return 0;
  }
  if (target === 'leaving' && source !== 'served') {
    // A move the other way is given up: it still has everything, unless that move was nearly over.
    for (const bank of banks) {
      if ((await stateOf(bank, slot)) !== 'served') continue;
      throw new CommandError(`slot ${slot} is served by ${bank.name}: move it from there`);
    }
    await change(to, slot, 'served');
    await reroute(to);
    if (source === 'arriving') await change(from, slot, 'elsewhere');
    return 0;
  }
  if (target === 'leaving') {
    throw new CommandError(
      `slot ${slot} has moved from ${to.name} to ${from.name}, and ${to.name} still keeps what it had: run that move again first`,
    );
  }
  if (source !== 'served' && source !== 'leaving') {
    throw new CommandError(
      `slot ${slot} is ${source} in ${from.name} and ${target} in ${to.name}: nothing can be moved; "sandbank fleet status" shows who has it`,
    );
  }
  if (target === 'elsewhere') await change(to, slot, 'arriving');
  try {
    await reroute(to);
    if (source === 'served') await delay(settleMs);
    await change(from, slot, 'leaving');
  } catch (error) {
    // Nothing was closed, so everything goes back. A proxy that does not listen had not changed either.
    if ((await stateOf(from, slot)) === 'served') {
      await reroute(from).catch(() => {});
      await change(to, slot, 'elsewhere');
    }
    throw error;
  }
  const count = await carry(move);
  await change(to, slot, 'served');
  await change(from, slot, 'elsewhere');
  return count;
}

/** Carries the sandboxes of a slot over, each with its snapshots. */
async function carry({ slot, from, to }: Move): Promise<number> {
  const { sandboxes } = await from.client.sandbox.retrieveSlot({ params: { slot: String(slot) } });
  for (const { name, key_digest, snapshots } of sandboxes) {
    const params = { slot: String(slot), name };
    const copy = async (query: { snapshot?: string; key_digest?: string }): Promise<void> => {
      const { snapshot } = query;
      const image = await from.client.sandbox.retrieveSlotImage({
        params,
        query: snapshot === undefined ? {} : { snapshot },
      });
      await to.client.sandbox.putSlotImage({ params, query, body: image });
    };
    await copy(key_digest === null ? {} : { key_digest });
    for (const snapshot of snapshots) await copy({ snapshot });
  }
  return sandboxes.length;
}

async function stateOf({ client }: FleetBank, slot: Slot) {
  return (await client.sandbox.retrieveSlot({ params: { slot: String(slot) } })).state;
}

async function change(
  { client, name }: FleetBank,
  slot: Slot,
  state: 'served' | 'elsewhere' | 'arriving' | 'leaving',
): Promise<void> {
  await client.sandbox
    .changeSlot({ params: { slot: String(slot) }, body: { state } })
    .catch((error: unknown) => {
      if (!(error instanceof SandbankError)) throw error;
      throw new CommandError(`${name}: ${explainFailure(error)}`);
    });
}

/** Links and seeded secrets are derived from the root, so they would change with the bank. */
async function requireOneRoot(from: FleetBank, to: FleetBank): Promise<void> {
  const [source, target] = await Promise.all([from, to].map(({ client }) => client.sandbox.listSlots()));
  for (const [{ name }, view] of [
    [from, source],
    [to, target],
  ] as const) {
    if (view?.shared === false) {
      throw new CommandError(`${name} is in no fleet: start it with SANDBANK_SLOTS=${view.served}, or none`);
    }
  }
  if (source?.secrets === target?.secrets) return;
  throw new CommandError(
    `${from.name} and ${to.name} derive different secrets, so links and seeded secrets would change: start both with the same SANDBANK_SECRET_ROOT`,
  );
}

function named(banks: readonly FleetBank[], given: string): FleetBank {
  const found = banks.find(({ name, url }) => name === given || url === given.replace(/\/+$/, ''));
  if (found !== undefined) return found;
  throw new UsageError(
    `there is no bank ${given} in the fleet: there are ${banks.map(({ name }) => name).join(', ')}`,
  );
}

/** Asks every bank; one that does not answer keeps nobody from the others. */
function lookAt(banks: readonly FleetBank[]): Promise<Seen[]> {
  return Promise.all(
    banks.map(async (bank): Promise<Seen> => {
      try {
        return { bank, problem: '', view: await bank.client.sandbox.listSlots() };
      } catch (error) {
        return { bank, problem: explainFailure(error), view: null };
      }
    }),
  );
}

/** The slots that the proxy has to send to a bank: those that arrive wait there. */
function ownedIn(view: SlotsView | null): Slot[] {
  if (view === null) return [];
  return [...(parseSlots(view.served) ?? []), ...(parseSlots(view.arriving) ?? [])];
}

function judge(seen: readonly Seen[]): { unserved: Slot[]; twice: Slot[] } {
  const owned = seen.flatMap(({ view }) => ownedIn(view));
  const times = (slot: Slot) => owned.filter((one) => one === slot).length;
  return {
    unserved: ALL_SLOTS.filter((slot) => times(slot) === 0),
    twice: ALL_SLOTS.filter((slot) => times(slot) > 1),
  };
}

function rowOf({ bank: { name, url }, problem, view }: Seen): string[] {
  if (view === null) return [name, url, problem];
  const { served, arriving, leaving, sandboxes, version } = view;
  const moving = [
    arriving === 'none' ? '' : `, ${arriving} arriving`,
    leaving === 'none' ? '' : `, ${leaving} leaving`,
  ];
  return [name, url, version, `slots ${served}${moving.join('')}`, `${sandboxes} sandboxes`];
}

function slotsIn(slots: readonly Slot[]): string {
  return slots.length === 1 ? `slot ${slots[0]}` : `slots ${formatSlots(slots)}`;
}
