/**
 * `sandbank simulate`: makes happen what the real bank, its partners and merchants would: an event of a payment, money
 * from outside, a purchase, the life of a holder, an account or a card.
 */
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank } from './bank.ts';
import { given } from './options.ts';
import type { Shell } from './shell.ts';

interface TransactionOptions extends BankOptions {
  readonly returnCode?: string;
  readonly late?: boolean;
  readonly reason?: string;
  readonly message?: string;
}

interface IncomingOptions extends BankOptions {
  readonly account?: string;
  readonly accountNumber?: string;
  readonly amount: string;
  readonly name?: string;
  readonly routingNumber?: string;
  readonly description?: string;
}

interface PurchaseOptions extends BankOptions {
  readonly card?: string;
  readonly amount: string;
  readonly merchant?: string;
  readonly mcc?: string;
  readonly city?: string;
  readonly country?: string;
}

interface AuthorizeOptions extends PurchaseOptions {
  readonly authMethod?: AuthMethod;
  readonly wallet?: Wallet;
  readonly atm?: boolean;
}

interface AuthorizationOptions extends BankOptions {
  readonly amount?: string;
  readonly keepRest?: boolean;
}

type Authorization = Parameters<Sandbank['sandbox']['simulateCardAuthorization']>[0]['body'];
type AuthMethod = NonNullable<Authorization['auth_method']>;
type Wallet = NonNullable<Authorization['wallet']>;

const AMOUNT = 'dollars and cents, like 12.50';
/** By which another bank sends money, or asks for it. */
export const INCOMING_RAILS = [
  'ach_push',
  'ach_pull',
  'domestic_wire',
  'international_wire',
  'rtp',
  'fednow',
] as const;

/** Adds the command with its sub-commands. */
export function addSimulate(program: Command, shell: Shell): void {
  const simulate = program
    .command('simulate')
    .description('make happen what the real bank, its partners and merchants would')
    .addHelpText(
      'after',
      '\nWhere no account or card is named, it is the one that the bank was seeded with.\n\n' +
        'Examples:\n  $ sandbank simulate incoming ach_push --amount 75.00\n' +
        "  $ sandbank simulate authorize --amount 12.50 --merchant 'Harbor Books' --mcc 5942\n" +
        '  $ sandbank simulate transaction txn_0190... return --return-code R01',
    );
  addTransaction(simulate, shell);
  addIncoming(simulate, shell);
  addPurchases(simulate, shell);
  addStatusChanges(simulate, shell);
}

function addTransaction(simulate: Command, shell: Shell): void {
  talksToBank(
    simulate
      .command('transaction')
      .description(
        'an event of a payment: submit, send, clear, settle, return, reverse, cancel, review, approve, decline, ...',
      )
      .argument('<id>', 'the payment')
      .argument('<event>', 'what happens to it')
      .option('--return-code <code>', 'of a return: R01, R03, ...')
      .option('--late', 'of a return: after its window, as a bank does that breaks the rule')
      .option('--reason <word>', 'why, in a word')
      .option('--message <sentence>', 'why, in a sentence'),
  ).action(async (id: string, event: string, options: TransactionOptions) => {
    const { returnCode: return_code, late, reason, message } = options;
    const answer = await bankOf(shell, options).sandbox.simulateTransaction({
      params: { id, event },
      body: given({ return_code, late, reason, message }),
    });
    const { transaction, steps } = answer;
    printAnswer(
      shell,
      options,
      answer,
      () => `${transaction.id}  ${steps.join(', ')} -> ${transaction.status}`,
    );
  });
}

function addIncoming(simulate: Command, shell: Shell): void {
  talksToBank(
    simulate
      .command('incoming')
      .description('money that another bank sends, or asks for')
      .addArgument(simulate.createArgument('<rail>', 'how the money comes').choices(INCOMING_RAILS))
      .requiredOption('--amount <amount>', AMOUNT)
      .option('--account <id>', 'whose it is')
      .option('--account-number <number>', 'the same as another bank names it; a number of nobody waits')
      .option('--name <name>', 'who sends it, or asks for it')
      .option('--routing-number <number>', 'from which bank')
      .option('--description <text>', 'what for'),
  ).action(async (rail: string, options: IncomingOptions) => {
    const bank = bankOf(shell, options);
    const { account, accountNumber, amount, name, routingNumber: routing_number, description } = options;
    const answer = await bank.sandbox.simulateIncoming({
      params: { rail },
      body: {
        ...(account === undefined && accountNumber === undefined
          ? { sub_account_id: await seeded(bank, 'sub_account_id', '--account') }
          : given({ sub_account_id: account, account_number: accountNumber })),
        amount,
        sender: given({ name, routing_number }),
        ...given({ description }),
      },
    });
    printTransaction(shell, options, answer);
  });
}

function addPurchases(simulate: Command, shell: Shell): void {
  takesPurchase(simulate.command('authorize').description('a merchant asks whether a card may pay'))
    .option('--auth-method <method>', 'keyed_in, swipe, chip, online, contactless or other')
    .option('--wallet <name>', 'like apple_pay')
    .option('--atm', 'cash from a machine; the PIN of the card has to be set')
    .action(async (options: AuthorizeOptions) => {
      const bank = bankOf(shell, options);
      const { authMethod: auth_method, wallet, atm } = options;
      const { card_id, body } = await purchase(bank, options);
      const answer = await bank.sandbox.simulateCardAuthorization({
        params: { card_id },
        body: { ...body, ...given({ auth_method, wallet, atm }) },
      });
      printTransaction(shell, options, answer);
    });

  takesPurchase(
    simulate
      .command('refund')
      .description('a merchant credits a card, without a purchase that it belongs to'),
  ).action(async (options: PurchaseOptions) => {
    const bank = bankOf(shell, options);
    const { card_id, body } = await purchase(bank, options);
    printTransaction(shell, options, await bank.sandbox.simulateCardRefund({ params: { card_id }, body }));
  });

  talksToBank(
    simulate
      .command('authorization')
      .description('the life of a card authorization: increment, capture, reverse, expire, refund')
      .argument('<transaction>', 'the authorization')
      .argument('<event>', 'what happens to it')
      .option('--amount <amount>', `${AMOUNT}; all of it unless given`)
      .option('--keep-rest', 'of a capture: keep what is left on hold'),
  ).action(async (transaction_id: string, event: string, options: AuthorizationOptions) => {
    const { amount, keepRest } = options;
    const answer = await bankOf(shell, options).sandbox.simulateAuthorization({
      params: { transaction_id, event },
      body: { ...given({ amount }), ...(keepRest === true && { final: false }) },
    });
    printTransaction(shell, options, answer);
  });
}

const STATUS_CHANGES = [
  {
    noun: 'holder',
    meaning:
      'change the state of a holder: pass, review or fail its check, idv_pass, idv_review, idv_fail, lock, unlock',
  },
  { noun: 'account', meaning: 'change the state of an account: lock, unlock' },
  { noun: 'card', meaning: 'change the state of a card: lock, unlock, ship, deliver' },
] as const;

function addStatusChanges(simulate: Command, shell: Shell): void {
  for (const { noun, meaning } of STATUS_CHANGES) {
    talksToBank(
      simulate
        .command(noun)
        .description(meaning)
        .argument('<id>', `the ${noun}`)
        .argument('<event>', 'what happens to it'),
    ).action(async (id: string, event: string, options: BankOptions) => {
      const answer = await changeStatus(bankOf(shell, options), noun, id, event);
      const [record] = Object.values(answer) as { id: string; status: string }[];
      printAnswer(shell, options, answer, () => `${record?.id}  ${event} -> ${record?.status}`);
    });
  }
}

function changeStatus(
  { sandbox }: Sandbank,
  noun: (typeof STATUS_CHANGES)[number]['noun'],
  id: string,
  event: string,
) {
  switch (noun) {
    case 'holder':
      return sandbox.simulateHolder({ params: { id, event } });
    case 'account':
      return sandbox.simulateAccount({ params: { id, event } });
    case 'card':
      return sandbox.simulateCard({ params: { card_id: id, event }, body: {} });
  }
}

function takesPurchase(command: Command): Command {
  return talksToBank(
    command
      .requiredOption('--amount <amount>', AMOUNT)
      .option('--card <id>', 'the card')
      .option('--merchant <name>', 'who asks')
      .option('--mcc <code>', 'four digits of ISO 18245')
      .option('--city <name>', 'where')
      .option('--country <code>', 'two letters'),
  );
}

async function purchase(bank: Sandbank, options: PurchaseOptions) {
  const { card, amount, merchant: name, mcc, city, country } = options;
  const merchant = given({ name, mcc, city, country });
  const card_id = card ?? (await seeded(bank, 'virtual_card_id', '--card'));
  return { card_id, body: { amount, ...(Object.keys(merchant).length > 0 && { merchant }) } };
}

/** The id of a record that the bank was seeded with; another seed document may not have it. */
async function seeded(bank: Sandbank, name: string, option: string): Promise<string> {
  const id = (await bank.seeded())[name];
  if (id === undefined)
    throw new CommandError(`this bank was seeded without a ${name}: name one with ${option}`);
  return id;
}

function printTransaction(
  shell: Shell,
  options: BankOptions,
  answer: { transaction: { id: string; type: string; amount: string; status: string } },
): void {
  const { id, type, amount, status } = answer.transaction;
  printAnswer(shell, options, answer, () => `${id}  ${type} ${amount} ${status}`);
}
