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
    const moving = await epochsOf(seen);
    const answer = {
      banks: seen.map(({ bank: { name, url }, problem, view }) => ({ name, url, problem, ...view })),
      unserved: formatSlots(unserved),
      served_twice: formatSlots(twice),
      moving,
    };
    printAnswer(shell, options, answer, () =>
      [
        ...columns(seen.map(rowOf)),
        ...moving.map(({ slot, held }) => `slot ${slot}: ${held.map(epochIn).join(', ')}`),
        unserved.length === 0 ? '' : `no bank serves ${slotsIn(unserved)}`,
        twice.length === 0 ? '' : `more than one bank serves ${slotsIn(twice)}`,
        unserved.length + twice.length === 0
          ? ''
          : '"sandbank fleet move" with two of the banks continues a move, or closes the slot in the bank that was overtaken',
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
    const served = new Set(seen.flatMap(({ view }) => slotsOf(view, 'served')));
    const rows = seen.flatMap(({ bank, view }) => {
      // Where a move has only begun, the old bank still answers.
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

/** A slot as a bank has it. */
interface Held {
  readonly bank: FleetBank;
  readonly state: 'served' | 'elsewhere' | 'arriving' | 'leaving';
  readonly epoch: number;
}

/**
 * Moves one slot, from whichever step an earlier move broke off at; answers how many sandboxes went over. Each change follows the
 * epoch that was read here, so of several moves at once one goes on and the others are refused.
 */
async function moveSlot(move: Move): Promise<number> {
  const { slot, from, to, proxies, settleMs } = move;
  const reroute = async ({ name }: FleetBank): Promise<void> => {
    await Promise.all(proxies.map((proxy) => proxy.route(slotInHex(slot), name)));
  };
  const [source, target] = await Promise.all([heldBy(from, slot), heldBy(to, slot)]);
  const next = Math.max(source.epoch, target.epoch) + 1;
  if (target.state === 'served' && source.state === 'served') {
    return closeOvertaken(slot, source, target, reroute);
  }
  if (target.state === 'served') {
    if (source.epoch > target.epoch && source.state === 'leaving') {
      throw new CommandError(
        `slot ${slot} is served by ${to.name} with epoch ${target.epoch}, but ${from.name} has newer sandboxes of it, with epoch ${source.epoch}: move it from ${to.name} to ${from.name}`,
      );
    }
    await reroute(to);
    if (source.state !== 'elsewhere') await change(source, slot, 'elsewhere', next);
    return 0;
  }
  if (target.state === 'leaving' && source.state !== 'served') {
    await change(target, slot, 'served', await takeFromOthers(move, target, to));
    await reroute(to);
    return 0;
  }
  if (target.state === 'leaving') {
    throw new CommandError(
      `slot ${slot} has moved from ${to.name} to ${from.name}, and ${to.name} still keeps what it had: run that move again first`,
    );
  }
  if (source.state !== 'served' && source.state !== 'leaving') {
    throw new CommandError(
      `slot ${slot} is ${source.state} in ${from.name} and ${target.state} in ${to.name}: nothing can be moved; "sandbank fleet status" shows who has it`,
    );
  }
  const epoch = source.state === 'leaving' ? await takeFromOthers(move, source, to) : next;
  // Also if it is arriving already: from here on an earlier move cannot finish.
  const arriving = await change(target, slot, 'arriving', epoch);
  let leaving: Held;
  try {
    await reroute(to);
    if (source.state === 'served') await delay(settleMs);
    leaving = await change(source, slot, 'leaving', epoch);
  } catch (error) {
    // Nothing was closed by this move, so everything goes back. A proxy that does not listen had not changed either.
    const now = await heldBy(from, slot);
    if (now.state === 'served' || now.epoch !== epoch) {
      if (now.state === 'served') await reroute(from).catch(() => {});
      await change(arriving, slot, 'elsewhere', epoch + 1);
      // A request to close it that is still on its way is refused from now on.
      if (now.state === 'served') await change(now, slot, 'served', Math.max(now.epoch, epoch) + 1);
    }
    throw error;
  }
  const count = await carry(move, epoch);
  await change(arriving, slot, 'served', epoch + 1);
  // Once more, because another move may have changed the proxy before it was refused.
  await reroute(to);
  await change(leaving, slot, 'elsewhere', epoch + 1);
  return count;
}

/**
 * Takes a slot that is leaving from each bank that expects it, except from the one it goes to: otherwise two could serve it in
 * the end. Answers an epoch that is newer than all of them.
 */
async function takeFromOthers({ slot, banks }: Move, leaving: Held, to: FleetBank): Promise<number> {
  // Read after the bank that it leaves: whoever closed it there had let another bank expect it before.
  const others = await Promise.all(
    banks.filter((bank) => bank !== leaving.bank).map((bank) => heldBy(bank, slot)),
  );
  for (const { bank, state, epoch } of others) {
    if (state !== 'served' && (state !== 'leaving' || epoch <= leaving.epoch)) continue;
    throw new CommandError(
      `slot ${slot} is ${state === 'served' ? 'served by' : 'leaving'} ${bank.name}: move it from there`,
    );
  }
  const epoch = Math.max(leaving.epoch, ...others.map((one) => one.epoch)) + 1;
  for (const other of others) {
    if (other.state === 'arriving' && other.bank !== to) await change(other, slot, 'elsewhere', epoch);
  }
  return epoch;
}

/** Two banks serve the slot: the one with the older epoch was overtaken. It closes the slot and keeps its sandboxes. */
async function closeOvertaken(
  slot: Slot,
  source: Held,
  target: Held,
  reroute: (bank: FleetBank) => Promise<void>,
): Promise<never> {
  const names = `${source.bank.name} and ${target.bank.name}`;
  if (source.epoch === target.epoch) {
    throw new CommandError(
      `${names} both serve slot ${slot} with epoch ${source.epoch}: which has the right sandboxes? Send PUT /_sandbox/slots/${slot} with {"state":"served","epoch":${source.epoch + 1}} to that bank, and run this again`,
    );
  }
  const [older, newer] = source.epoch < target.epoch ? [source, target] : [target, source];
  await reroute(newer.bank);
  await change(older, slot, 'leaving', newer.epoch);
  throw new CommandError(
    `${names} both served slot ${slot}. ${newer.bank.name} has the newer epoch and goes on; ${older.bank.name} has closed the slot and keeps its sandboxes. To remove them, move the slot from ${older.bank.name} to ${newer.bank.name} once more`,
  );
}

/** Carries the sandboxes of a slot over, each with its snapshots. */
async function carry({ slot, from, to }: Move, epoch: number): Promise<number> {
  const { sandboxes } = await from.client.sandbox.retrieveSlot({ params: { slot: String(slot) } });
  for (const { name, key_digest, snapshots } of sandboxes) {
    const params = { slot: String(slot), name };
    const copy = async (query: { snapshot?: string; key_digest?: string }): Promise<void> => {
      const { snapshot } = query;
      const image = await from.client.sandbox.retrieveSlotImage({
        params,
        query: snapshot === undefined ? {} : { snapshot },
      });
      await to.client.sandbox.putSlotImage({ params, query: { ...query, epoch: `${epoch}` }, body: image });
    };
    await copy(key_digest === null ? {} : { key_digest });
    for (const snapshot of snapshots) await copy({ snapshot });
  }
  return sandboxes.length;
}

async function heldBy(bank: FleetBank, slot: Slot): Promise<Held> {
  const { state, epoch } = await bank.client.sandbox.retrieveSlot({ params: { slot: String(slot) } });
  return { bank, state, epoch };
}

/** Changes a slot if it is still as it was read; answers how it is then. */
async function change(
  { bank, epoch: after }: Held,
  slot: Slot,
  state: Held['state'],
  epoch: number,
): Promise<Held> {
  await bank.client.sandbox
    .changeSlot({ params: { slot: String(slot) }, body: { state, after, epoch } })
    .catch((error: unknown) => {
      if (!(error instanceof SandbankError)) throw error;
      throw new CommandError(`${bank.name}: ${explainFailure(error)}`);
    });
  return { bank, state, epoch };
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

function slotsOf(view: SlotsView | null, state: 'served' | 'arriving' | 'leaving'): Slot[] {
  return view === null ? [] : (parseSlots(view[state]) ?? []);
}

/** A slot that arrives waits for its old bank, which serves it until then; only where none does, it counts as the new bank's. */
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

/** Who has the slots that are moving or that several banks serve, and with which epochs. */
async function epochsOf(seen: readonly Seen[]): Promise<{ slot: Slot; held: EpochRow[] }[]> {
  const { twice } = judge(seen);
  const moving = seen.flatMap(({ view }) => [...slotsOf(view, 'arriving'), ...slotsOf(view, 'leaving')]);
  const slots = [...new Set([...twice, ...moving])].sort((a, b) => a - b);
  const there = seen.filter(({ view }) => view !== null);
  return Promise.all(
    slots.map(async (slot) => {
      // A bank that goes away meanwhile is left out, as one that never answered.
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
