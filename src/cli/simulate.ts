/**
 * `sandbank simulate`: simulates actions of the bank, its partners and merchants: an event of a payment, an incoming
 * payment, a card purchase, a change of status of a holder, an account or a card.
 */
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank } from './bank.ts';
import { sentOnly } from './options.ts';
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

const AMOUNT = 'in dollars and cents, like 12.50';
/** The rails of incoming payments. */
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
    .description('simulate actions of the bank, its partners and merchants')
    .addHelpText('after', '\nThe default account and card are those of the initial records.');
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
        'simulate an event of a payment: submit, send, clear, settle, return, reverse, cancel, review, approve, decline, ...',
      )
      .argument('<id>', 'id of the payment')
      .argument('<event>', 'the event')
      .option('--return-code <code>', 'for return: R01, R03, ...')
      .option('--late', 'for return and reverse: allow it after the window has closed')
      .option('--reason <code>', 'a reason code')
      .option('--message <text>', 'a reason in words'),
    'simulate transaction txn_0190... return --return-code R01',
  ).action(async (id: string, event: string, options: TransactionOptions) => {
    const { returnCode: return_code, late, reason, message } = options;
    const answer = await bankOf(shell, options).sandbox.simulateTransaction({
      params: { id, event },
      body: sentOnly({ return_code, late, reason, message }),
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
      .description('simulate a payment that another bank sends or requests')
      .addArgument(simulate.createArgument('<rail>', 'rail of the payment').choices(INCOMING_RAILS))
      .requiredOption('--amount <amount>', AMOUNT)
      .option('--account <id>', 'the account')
      .option(
        '--account-number <number>',
        'the account by its number; a payment to an unknown number stays in suspense',
      )
      .option('--name <name>', 'name of the sender')
      .option('--routing-number <number>', 'routing number of the sending bank')
      .option('--description <text>', 'a description'),
    'simulate incoming ach_push --amount 75.00',
  ).action(async (rail: string, options: IncomingOptions) => {
    const bank = bankOf(shell, options);
    const { account, accountNumber, amount, name, routingNumber: routing_number, description } = options;
    const answer = await bank.sandbox.simulateIncoming({
      params: { rail },
      body: {
        ...(account === undefined && accountNumber === undefined
          ? { sub_account_id: await seeded(bank, 'sub_account_id', '--account') }
          : sentOnly({ sub_account_id: account, account_number: accountNumber })),
        amount,
        sender: sentOnly({ name, routing_number }),
        ...sentOnly({ description }),
      },
    });
    printTransaction(shell, options, answer);
  });
}

function addPurchases(simulate: Command, shell: Shell): void {
  takesPurchase(
    simulate.command('authorize').description('simulate a card authorization'),
    "simulate authorize --amount 12.50 --merchant 'Harbor Books' --mcc 5942",
  )
    .option('--auth-method <method>', 'keyed_in, swipe, chip, online, contactless or other')
    .option('--wallet <name>', 'like apple_pay')
    .option('--atm', 'a withdrawal at an ATM; the card needs a PIN')
    .action(async (options: AuthorizeOptions) => {
      const bank = bankOf(shell, options);
      const { authMethod: auth_method, wallet, atm } = options;
      const { card_id, body } = await purchase(bank, options);
      const answer = await bank.sandbox.simulateCardAuthorization({
        params: { card_id },
        body: { ...body, ...sentOnly({ auth_method, wallet, atm }) },
      });
      printTransaction(shell, options, answer);
    });

  takesPurchase(
    simulate.command('refund').description('simulate a refund to a card without a purchase'),
    'simulate refund --amount 5.00',
  ).action(async (options: PurchaseOptions) => {
    const bank = bankOf(shell, options);
    const { card_id, body } = await purchase(bank, options);
    printTransaction(shell, options, await bank.sandbox.simulateCardRefund({ params: { card_id }, body }));
  });

  talksToBank(
    simulate
      .command('authorization')
      .description('simulate an event of a card authorization: increment, capture, reverse, expire, refund')
      .argument('<transaction>', 'id of the authorization')
      .argument('<event>', 'the event')
      .option('--amount <amount>', `${AMOUNT} (default: all of it)`)
      .option('--keep-rest', 'for capture: leave the rest of the authorization on hold'),
    'simulate authorization txn_0190... capture --amount 10.00',
  ).action(async (transaction_id: string, event: string, options: AuthorizationOptions) => {
    const { amount, keepRest } = options;
    const answer = await bankOf(shell, options).sandbox.simulateAuthorization({
      params: { transaction_id, event },
      body: { ...sentOnly({ amount }), ...(keepRest === true && { final: false }) },
    });
    printTransaction(shell, options, answer);
  });
}

const STATUS_CHANGES = [
  {
    noun: 'holder',
    meaning:
      'simulate an event of a holder: pass, review, fail, idv_pass, idv_review, idv_fail, lock, unlock',
    options: [
      ['--code <code>', 'for review and fail: the reason, like R112'],
      ['--message <sentence>', 'for review and fail: the reason in a sentence'],
    ],
    example: 'simulate holder sah_0190... review --code R112',
  },
  {
    noun: 'account',
    meaning: 'simulate an event of an account: lock, unlock',
    options: [],
    example: 'simulate account sub_0190... lock',
  },
  {
    noun: 'card',
    meaning: 'simulate an event of a card: lock, unlock, ship, deliver',
    options: [],
    example: 'simulate card crd_0190... ship',
  },
] as const;

interface StatusOptions extends BankOptions {
  readonly code?: string;
  readonly message?: string;
}

function addStatusChanges(simulate: Command, shell: Shell): void {
  for (const { noun, meaning, options: own, example } of STATUS_CHANGES) {
    const command = simulate
      .command(noun)
      .description(meaning)
      .argument('<id>', `id of the ${noun}`)
      .argument('<event>', 'the event');
    for (const [flags, description] of own) command.option(flags, description);
    talksToBank(command, example).action(async (id: string, event: string, options: StatusOptions) => {
      const answer = await changeStatus(bankOf(shell, options), noun, id, event, options);
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
  { code, message }: StatusOptions,
) {
  switch (noun) {
    case 'holder':
      return sandbox.simulateHolder({ params: { id, event }, body: sentOnly({ code, message }) });
    case 'account':
      return sandbox.simulateAccount({ params: { id, event } });
    case 'card':
      return sandbox.simulateCard({ params: { card_id: id, event }, body: {} });
  }
}

function takesPurchase(command: Command, example: string): Command {
  return talksToBank(
    command
      .requiredOption('--amount <amount>', AMOUNT)
      .option('--card <id>', 'id of the card')
      .option('--merchant <name>', 'name of the merchant')
      .option('--mcc <code>', 'merchant category code (ISO 18245), four digits')
      .option('--city <name>', 'city of the merchant')
      .option('--country <code>', 'country of the merchant, two letters'),
    example,
  );
}

async function purchase(bank: Sandbank, options: PurchaseOptions) {
  const { card, amount, merchant: name, mcc, city, country } = options;
  const merchant = sentOnly({ name, mcc, city, country });
  const card_id = card ?? (await seeded(bank, 'virtual_card_id', '--card'));
  return { card_id, body: { amount, ...(Object.keys(merchant).length > 0 && { merchant }) } };
}

/** The id of a record that the bank was seeded with; another seed document may not have it. */
async function seeded(bank: Sandbank, name: string, option: string): Promise<string> {
  const id = (await bank.seeded())[name];
  if (id === undefined)
    throw new CommandError(
      `the initial records of this bank have no ${name}: choose a record with ${option}`,
    );
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
