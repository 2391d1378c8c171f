/**
 * The banks of a fleet, for commands that call all of them: their names, which the proxy uses too, and their own
 * addresses.
 */
import type { Command } from 'commander';
import { type Client, createClient } from '../client/client.ts';
import { type BankOptions, UsageError } from './bank.ts';
import { withExamples } from './options.ts';
import type { Shell } from './shell.ts';

export interface FleetOptions extends Pick<BankOptions, 'controlToken' | 'json'> {
  readonly banks?: string;
}

/** A bank by its own address, without the proxy. */
export interface FleetBank {
  readonly name: string;
  readonly url: string;
  readonly client: Client;
}

const EXPECTED = 'bank-0=http://10.0.0.1:4800,bank-1=http://10.0.0.2:4800';

/** Adds the options of a command that calls every bank, after its own options, and its examples. */
export function talksToFleet(command: Command, ...examples: string[]): Command {
  return withExamples(command, ...examples)
    .option('--banks <list>', `the banks with their addresses (default: SANDBANK_BANKS): ${EXPECTED}`)
    .option('--control-token <token>', 'token of the control plane (default: SANDBANK_CONTROL_TOKEN)')
    .option('--json', 'print only the response, as JSON');
}

/** The banks that the options name, or else the environment. Fails with a `UsageError` if neither names any. */
export function banksOf({ environment }: Shell, { banks, controlToken }: FleetOptions): FleetBank[] {
  const input = banks ?? environment.SANDBANK_BANKS ?? '';
  if (input === '')
    throw new UsageError(`the command requires the banks in --banks or SANDBANK_BANKS, like ${EXPECTED}`);
  const token = controlToken ?? (environment.SANDBANK_CONTROL_TOKEN || undefined);
  const all = input.split(',').map((entry): FleetBank => {
    const [, name = '', address = ''] = /^\s*([\w.-]+)=(\S+)\s*$/.exec(entry) ?? [];
    if (name === '' || !/^https?:\/\//i.test(address) || !URL.canParse(address))
      throw new UsageError(`${JSON.stringify(entry)} is not a bank; expected ${EXPECTED}`);
    const url = address.replace(/\/+$/, '');
    // Calls of the fleet apply to no sandbox.
    const client = createClient({ url, apiKey: '', ...(token !== undefined && { controlToken: token }) });
    return { name, url, client };
  });
  const names = all.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(`two banks have the name ${twice}: give each bank a unique name`);
  return all;
}
