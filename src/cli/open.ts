/**
 * `sandbank open`: opens the inspector in the browser, at a record if one is named.
 */

import type { Command } from 'commander';
import { maskAddresses } from '../bank/kernel/address.ts';
import type { Sandbank } from '../kit/bank.ts';
import type { ControlMethods } from '../kit/client/types.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank } from './bank.ts';
import type { Shell } from './shell.ts';

type Kind = Awaited<ReturnType<ControlMethods['search']>>['results'][number]['kind'];

/** The screen of the inspector that shows a kind of record. */
const SCREENS: Readonly<Record<Kind, string>> = {
  holder: 'people',
  account: 'accounts',
  card: 'cards',
  card_holder: 'people',
  counterparty: 'counterparties',
  transaction: 'transactions',
  webhook: 'webhooks',
  event: 'events',
  request: 'requests',
};

/** Adds the command. */
export function addOpen(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('open')
      .description('open the inspector in the browser')
      .argument('[id]', 'id of a record, an event or a request')
      .option('--print', 'print the address without opening a browser'),
    'open',
    'open txn_0190...',
  ).action(async (id: string | undefined, options: BankOptions & { print?: boolean }) => {
    const bank = bankOf(shell, options);
    const { sandbox } = await bank.sandbox.retrieveSummary();
    const path = id === undefined ? '/' : await screenPath(bank, id);
    const url = `${bank.url}/_sandbox/ui/${encodeURIComponent(sandbox)}${path}`;
    printAnswer(shell, options, { url: maskAddresses(url) }, () => maskAddresses(url));
    if (options.print !== true) await openInBrowser(url);
  });
}

/** The path of the screen of a record. Fails with a `CommandError` if the sandbox has no such record. */
async function screenPath(bank: Sandbank, id: string): Promise<string> {
  const { results } = await bank.sandbox.search({ query: { q: id } });
  const [found] = results;
  if (found === undefined) throw new CommandError(`the sandbox has no record ${id}`);
  return `/${SCREENS[found.kind]}/${found.id}`;
}

/** Opens an address. Without a desktop it does nothing, because the address was printed. */
async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(url);
  child.on('error', () => {});
}
