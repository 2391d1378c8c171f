/**
 * `sandbank fleet`: several banks that divide the slots among them. `status` shows the slots of each bank, `map`
 * writes the routing file of HAProxy, and `move` moves slots to another bank while both run.
 * Source: decisions `fleet-slots` and `slot-moves` in docs/fidelity.md.
 */
import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import { ALL_SLOTS, formatSlots, parseSlots, type Slot, slotInHex } from '../kernel/slots.ts';
import { CommandError, columns, explainFailure, printAnswer, UsageError } from './bank.ts';
import { banksOf, type FleetBank, type FleetOptions, talksToFleet } from './banks.ts';
import { type Held, heldBy, moveSlot } from './fleet-move.ts';
import { wholeNumber } from './options.ts';
import { proxiesAt } from './proxy.ts';
import type { Shell } from './shell.ts';

interface MoveOptions extends FleetOptions {
  readonly slots: string;
  readonly from: string;
  readonly to: string;
  readonly proxy: string[];
  readonly settle: number;
  readonly keep: string;
  readonly prefer?: string;
}

/** The slots of a bank. */
type SlotsView = Awaited<ReturnType<Client['sandbox']['listSlots']>>;

interface Seen {
  readonly bank: FleetBank;
  /** Why it did not respond; `''` if it did. */
  readonly problem: string;
  readonly view: SlotsView | null;
}

/** Long enough for a request that the proxy sent with the old map to reach the old bank. */
const SETTLE_MS = 100;
const KEEP = 'overtaken';

/** Adds the command with its sub-commands. */
export function addFleet(program: Command, shell: Shell): void {
  const fleet = program
    .command('fleet')
    .description('manage several banks behind a proxy that share the sandboxes')
    .addHelpText(
      'after',
      '\nSANDBANK_BANKS names the banks: bank-0=http://10.0.0.1:4800,bank-1=http://10.0.0.2:4800',
    );

  talksToFleet(
    fleet
      .command('status')
      .description('print the slots of each bank; exit with 1 unless exactly one bank serves each slot'),
    'fleet status',
  ).action(async (options: FleetOptions) => {
    const seen = await lookAt(banksOf(shell, options));
    const { unserved, twice } = judge(seen);
    const moving = await epochsOf(seen);
    const overtaken = moving.filter(({ held }) => isOvertaken(held)).map(({ slot }) => slot);
    const isValid = unserved.length + twice.length + overtaken.length === 0;
    const answer = {
      banks: seen.map(({ bank: { name, url }, problem, view }) => ({ name, url, problem, ...view })),
      unserved: formatSlots(unserved),
      served_twice: formatSlots(twice),
      overtaken: formatSlots(overtaken),
      moving,
    };
    printAnswer(shell, options, answer, () =>
      [
        ...columns(seen.map(rowOf)),
        ...moving.map(({ slot, held }) => `slot ${slot}: ${held.map(epochIn).join(', ')}`),
        unserved.length === 0 ? '' : `no bank serves ${slotsIn(unserved)}`,
        twice.length === 0 ? '' : `more than one bank serves ${slotsIn(twice)}`,
        overtaken.length === 0
          ? ''
          : `the bank that serves ${slotsIn(overtaken)} was overtaken: another one has closed it with a newer epoch`,
        isValid
          ? 'each slot is served by one bank'
          : '"sandbank fleet move" with two of the banks continues a move, or closes the slot in the bank that was overtaken',
      ].filter((line) => line !== ''),
    );
    if (!isValid) shell.exitCode = 1;
  });

  talksToFleet(
    fleet.command('map').description('print the map for HAProxy: one line per slot'),
    'fleet map > slots.map',
  ).action(async (options: FleetOptions) => {
    const seen = await lookAt(banksOf(shell, options));
    const { unserved, twice } = judge(seen);
    if (unserved.length + twice.length > 0) {
      throw new CommandError(
        `there is no map: ${slotsIn([...unserved, ...twice])} would be served by no bank or by several banks; "sandbank fleet status" shows details`,
      );
    }
    const served = new Set(seen.flatMap(({ view }) => slotsOf(view, 'served')));
    const rows = seen.flatMap(({ bank, view }) => {
      // If a move has only begun, the old bank still serves the slot.
      const awaited = slotsOf(view, 'arriving').filter((slot) => !served.has(slot));
      return [...slotsOf(view, 'served'), ...awaited].map((slot) => ({ slot, bank: bank.name }));
    });
    const sorted = rows.toSorted((a, b) => a.slot - b.slot);
    printAnswer(shell, options, { slots: sorted }, () =>
      sorted.map(({ slot, bank }) => `${slotInHex(slot)} ${bank}`),
    );
  });

  talksToFleet(
    fleet
      .command('move')
      .description('move slots with their sandboxes to another bank while both run')
      .requiredOption('--slots <slots>', 'numbers and ranges, like 0-63,200')
      .requiredOption('--from <bank>', 'the current bank, by name or address')
      .requiredOption('--to <bank>', 'the new bank')
      .requiredOption(
        '--proxy <address>',
        "HAProxy's runtime API: the path of a socket, or host:port, where each address of the host is a proxy; repeatable",
        (address: string, others: string[]) => [...others, address],
        [],
      )
      .option(
        '--settle <ms>',
        'how long the old bank still serves a slot after the change of the proxy',
        wholeNumber(0, 60_000),
        SETTLE_MS,
      )
      .option('--keep <folder>', 'folder for the sandboxes of an overtaken bank', KEEP)
      .option('--prefer <bank>', 'the bank that keeps a slot that two banks serve with the same epoch'),
    'fleet move --slots 0-63 --from bank-0 --to bank-1 --proxy 127.0.0.1:9999',
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
  const prefer = options.prefer === undefined ? undefined : named(banks, options.prefer);
  const proxies = (await Promise.all(options.proxy.map(proxiesAt))).flat();
  const started = Date.now();
  let sandboxes = 0;
  const kept: string[] = [];
  for (const slot of slots) {
    const begun = Date.now();
    const { keep, settle: settleMs } = options;
    const moved = await moveSlot({ slot, banks, from, to, proxies, settleMs, keep, prefer });
    sandboxes += moved.sandboxes;
    kept.push(...moved.kept);
    if (options.json === true) continue;
    const count = moved.sandboxes === 1 ? '1 sandbox' : `${moved.sandboxes} sandboxes`;
    shell.answer(`slot ${slot} is served by ${to.name}: ${count}, ${Date.now() - begun} ms\n`);
  }
  const answer = {
    slots: formatSlots(slots),
    from: from.name,
    to: to.name,
    sandboxes,
    kept,
    ms: Date.now() - started,
  };
  printAnswer(shell, options, answer, () => [
    ...(kept.length === 0
      ? []
      : [
          'A bank was overtaken by another one. Its sandboxes are in these files; "sandbank import" imports one:',
          ...kept.map((file) => `  ${file}`),
        ]),
    'The proxy loses this when it restarts: update its map file with "sandbank fleet map".',
  ]);
}

/** Links and seeded secrets are derived from the root, so they would change with the bank. */
async function requireOneRoot(from: FleetBank, to: FleetBank): Promise<void> {
  const [source, target] = await Promise.all([from, to].map(({ client }) => client.sandbox.listSlots()));
  for (const [{ name }, view] of [
    [from, source],
    [to, target],
  ] as const) {
    if (view?.shared === false) {
      throw new CommandError(
        `${name} is not part of a fleet: start it with SANDBANK_SLOTS=${view.served}, or none`,
      );
    }
  }
  if (source?.secrets === target?.secrets) return;
  throw new CommandError(
    `${from.name} and ${to.name} derive different secrets, so links and seeded secrets would change: start both with the same SANDBANK_SECRET_ROOT`,
  );
}

function named(banks: readonly FleetBank[], input: string): FleetBank {
  const found = banks.find(({ name, url }) => name === input || url === input.replace(/\/+$/, ''));
  if (found !== undefined) return found;
  throw new UsageError(
    `there is no bank ${input} in the fleet; its banks are ${banks.map(({ name }) => name).join(', ')}`,
  );
}

/** Calls every bank; a bank that does not respond does not affect the others. */
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

function slotsOf(view: SlotsView | null, state: 'served' | 'arriving' | 'leaving'): Slot[] {
  return view === null ? [] : (parseSlots(view[state]) ?? []);
}

/** The old bank serves an arriving slot until it has arrived. If no bank serves it, it counts as the new bank's. */
function judge(seen: readonly Seen[]): { unserved: Slot[]; twice: Slot[] } {
  const countIn = (state: 'served' | 'arriving'): number[] => {
    const all = seen.flatMap(({ view }) => slotsOf(view, state));
    return ALL_SLOTS.map((slot) => all.filter((one) => one === slot).length);
  };
  const [served, arriving] = [countIn('served'), countIn('arriving')];
  const times = (slot: Slot): number => served[slot] || arriving[slot] || 0;
  return {
    unserved: ALL_SLOTS.filter((slot) => times(slot) === 0),
    twice: ALL_SLOTS.filter((slot) => times(slot) > 1),
  };
}

interface EpochRow {
  readonly bank: string;
  readonly state: Held['state'];
  readonly epoch: number;
}

/** The banks and epochs of the slots that are moving or that several banks serve. */
async function epochsOf(seen: readonly Seen[]): Promise<{ slot: Slot; held: EpochRow[] }[]> {
  const { twice } = judge(seen);
  const moving = seen.flatMap(({ view }) => [...slotsOf(view, 'arriving'), ...slotsOf(view, 'leaving')]);
  const slots = [...new Set([...twice, ...moving])].sort((a, b) => a - b);
  const there = seen.filter(({ view }) => view !== null);
  return Promise.all(
    slots.map(async (slot) => {
      // A bank that stops responding meanwhile is omitted.
      const held = await Promise.allSettled(there.map(({ bank }) => heldBy(bank, slot)));
      const rows = held.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      return {
        slot,
        held: rows
          .filter(({ state }) => state !== 'elsewhere')
          .map(({ bank, state, epoch }) => ({ bank: bank.name, state, epoch })),
      };
    }),
  );
}

/** True if a bank serves a slot that another one has closed later: its sandboxes are older. */
function isOvertaken(held: readonly EpochRow[]): boolean {
  const newest = (state: Held['state']): number =>
    Math.max(-1, ...held.filter((row) => row.state === state).map(({ epoch }) => epoch));
  return newest('served') >= 0 && newest('leaving') > newest('served');
}

const epochIn = ({ bank, state, epoch }: EpochRow): string => `${state} in ${bank} with epoch ${epoch}`;

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
