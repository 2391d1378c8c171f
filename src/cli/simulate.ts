/**
 * `sandbank simulate`: makes happen what the real bank, its partners and merchants would: an event of a payment, money
 * from outside, the life of a holder, an account or a card.
 */
import type { Command } from 'commander';
import { type BankOptions, bankOf, printAnswer, talksToBank } from './bank.ts';

interface TransactionOptions extends BankOptions {
  readonly returnCode?: string;
  readonly reason?: string;
  readonly message?: string;
}

interface IncomingOptions extends BankOptions {
  readonly account: string;
  readonly amount: string;
  readonly name?: string;
  readonly routingNumber?: string;
  readonly description?: string;
}

/** Adds the command with its sub-commands. */
export function addSimulate(program: Command): void {
  const simulate = program.command('simulate').description('make happen what a real bank and its partners would');

  talksToBank(
    simulate
      .command('transaction')
      .description('an event of a payment: submit, send, clear, settle, return, reverse, cancel, review, approve, decline')
      .argument('<id>', 'the payment')
      .argument('<event>', 'what happens to it')
      .option('--return-code <code>', 'of a return: R01, R03, ...')
      .option('--reason <word>', 'why, in a word')
      .option('--message <sentence>', 'why, in a sentence'),
  )
    .addHelpText('after', '\nExample:\n  $ sandbank simulate transaction txn_0190... return --return-code R01')
    .action(async (id: string, event: string, options: TransactionOptions) => {
      const { returnCode, reason, message } = options;
      const answer = await bankOf(options).sandbox.simulateTransaction({
        params: { id, event },
        body: {
          ...(returnCode !== undefined && { return_code: returnCode }),
          ...(reason !== undefined && { reason }),
          ...(message !== undefined && { message }),
        },
      });
      const { transaction, steps } = answer;
      printAnswer(options, answer, () => `${transaction.id}  ${steps.join(', ')} -> ${transaction.status}`);
    });

  talksToBank(
    simulate
      .command('incoming')
      .description('money that another bank sends, or asks for: ach_push, ach_pull, domestic_wire, ...')
      .argument('<rail>', 'the way it comes')
      .requiredOption('--account <id>', 'whose it is')
      .requiredOption('--amount <amount>', 'dollars and cents, like 12.50')
      .option('--name <name>', 'who sends it')
      .option('--routing-number <number>', 'from which bank')
      .option('--description <text>', 'what for'),
  )
    .addHelpText('after', '\nExample:\n  $ sandbank simulate incoming ach_push --account sub_0190... --amount 75.00')
    .action(async (rail: string, options: IncomingOptions) => {
      const { account, amount, name, routingNumber, description } = options;
      const sender = {
        ...(name !== undefined && { name }),
        ...(routingNumber !== undefined && { routing_number: routingNumber }),
      };
      const answer = await bankOf(options).sandbox.simulateIncoming({
        params: { rail },
        body: {
          sub_account_id: account,
          amount,
          ...(description !== undefined && { description }),
          ...(Object.keys(sender).length > 0 && { sender }),
        },
      });
      const { transaction } = answer;
      printAnswer(options, answer, () => `${transaction.id}  ${transaction.amount} ${transaction.status}`);
    });

  const lives = [
    ['holder', 'pass, review or fail its check; lock, unlock'],
    ['account', 'lock, unlock'],
    ['card', 'lock, unlock, ship, deliver'],
  ] as const;
  for (const [noun, events] of lives) {
    talksToBank(
      simulate
        .command(noun)
        .description(events)
        .argument('<id>', `the ${noun}`)
        .argument('<event>', 'what happens to it'),
    ).action(async (id: string, event: string, options: BankOptions) => {
      const answer = await lifeOf(bankOf(options).sandbox, noun, id, event);
      printAnswer(options, answer, () => `${id}  ${event} -> ${statusIn(answer)}`);
    });
  }
}

type Control = ReturnType<typeof bankOf>['sandbox'];

function lifeOf(sandbox: Control, noun: 'holder' | 'account' | 'card', id: string, event: string): Promise<unknown> {
  switch (noun) {
    case 'holder':
      return sandbox.simulateHolder({ params: { id, event } });
    case 'account':
      return sandbox.simulateAccount({ params: { id, event } });
    case 'card':
      return sandbox.simulateCard({ params: { card_id: id, event } });
  }
}

/** The status of the one record in an answer. */
function statusIn(answer: unknown): string {
  for (const record of Object.values(answer as Record<string, { status?: string }>)) {
    if (typeof record?.status === 'string') return record.status;
  }
  return '';
}
