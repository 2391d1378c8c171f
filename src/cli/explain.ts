/**
 * `sandbank explain`: explains the state of a transaction, card, holder or account, and why an event was not
 * delivered.
 */
import type { Command } from 'commander';
import type { ControlMethods } from '../kit/client/types.ts';
import { type BankOptions, bankOf, columns, printAnswer, talksToBank } from './bank.ts';
import type { Shell } from './shell.ts';

export type Explanation = Awaited<ReturnType<ControlMethods['explain']>>;

/** Adds the command. */
export function addExplain(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('explain')
      .description(
        'explain the state of a transaction, card, holder or account, or why an event has not arrived',
      )
      .argument('<id>', 'its id in v2 or v1'),
    'explain txn_0190...',
    'explain evt_0190...',
  ).action(async (id: string, options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.explain({ params: { id } });
    printAnswer(shell, options, answer, () => linesOf(answer));
  });
}

/** An explanation as lines of text. */
export function linesOf(it: Explanation): string[] {
  const { id, kind, summary, figures, decisions, path, related, transfers, return_windows, deliveries } = it;
  return [
    `${kind} ${id}`,
    summary,
    ...part(
      'figures',
      Object.entries(figures).map(([name, value]) => [name, value]),
    ),
    ...part(
      'decisions',
      decisions.map(({ at, source, name, effect, message }) => [at, `${source} ${name}`, effect, message]),
    ),
    ...part(
      'path',
      path.map(({ at, change, status }) => [at, change, status]),
    ),
    ...part(
      'books',
      transfers.map(({ at, kind, amount, debit, credit }) => [
        at,
        kind,
        amount,
        `debit ${debit}, credit ${credit}`,
      ]),
    ),
    ...part(
      'related',
      related.map(({ id, as, type, status, amount }) => [as, id, type, status, amount]),
    ),
    ...part(
      'may be returned',
      return_windows.map(({ until, time_limit, return_codes }) => [
        `until ${until}`,
        time_limit,
        return_codes.join(' '),
      ]),
    ),
    ...part(
      'deliveries',
      deliveries.map(({ state, attempts, why }) => [
        why.webhook_id,
        state,
        `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
        why.reason,
        why.message,
      ]),
    ),
    ...(it.legal_events.length === 0 ? [] : ['', `possible next events: ${it.legal_events.join(', ')}`]),
  ];
}

/** A table under its heading; empty without rows. */
function part(heading: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', heading, ...columns(rows).map((line) => `  ${line}`)];
}
