/**
 * Money that another bank sends, or asks for: it is `received`, and settles or goes back as the timetable, a rule, or the
 * client's own real-time answer decides.
 */
import { Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import type { Incoming } from '../../../bank/inputs.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { askAboutDebit } from '../../rta.ts';
import { controlOperation } from '../operation.ts';
import {
  Amount,
  INCOMING_RAILS,
  readAmount,
  readIncomingRail,
  readSender,
  SenderInput,
  TransactionAnswer,
} from '../simulate.ts';

export const simulateIncoming = controlOperation({
  id: 'sandbox_simulate_incoming',
  method: 'POST',
  path: '/_sandbox/simulate/incoming/:rail',
  group: 'Simulate',
  summary: 'Have money come in, or be asked for, from another bank',
  status: 201,
  refuses: ['account_not_found', 'amount_invalid', 'amount_too_large', 'master_account_not_found'],
  params: Type.Object({ rail: Type.String({ description: Object.keys(INCOMING_RAILS).join(', ') }) }),
  body: Type.Object({
    sub_account_id: Type.Optional(Type.String({ description: 'The account, in the spelling of v2 or v1.' })),
    account_id: Type.Optional(Type.String({ description: 'The same, by the name that v1 has for it.' })),
    account_number: Type.Optional(
      Type.String({
        maxLength: 34,
        description:
          'The account as another bank names it, in place of its id. Money for a number that no sub account has waits on the master account.',
      }),
    ),
    amount: Amount,
    description: Type.Optional(Type.String({ maxLength: 500 })),
    sender: Type.Optional(SenderInput),
  }),
  response: TransactionAnswer,
  example: {
    params: { rail: 'rtp' },
    body: (world) => ({
      sub_account_id: world.seed('sub_account_id'),
      amount: '75.00',
      description: 'Rent',
      sender: { name: 'Pat Rowe', routing_number: '021000021' },
    }),
  },
  run: async ({ sandbox }, { params, body }) => {
    const rail = readIncomingRail(params.rail);
    const input: Incoming = {
      ...readTarget(sandbox.bank, body),
      amount: readAmount(body.amount),
      description: body.description ?? '',
      sender: readSender(body.sender),
    };
    const rta = await askAboutDebit(sandbox, rail, input);
    const transaction = await sandbox.commit(() =>
      sandbox.bank.payments.receive(rail, { ...input, ...(rta !== undefined && { rta }) }),
    );
    return { transaction: viewTransaction(transaction, sandbox.program) };
  },
});

interface Target {
  sub_account_id?: string;
  account_id?: string;
  account_number?: string;
}

/** Whose the money is to be: by an id, or by a number, which need not be that of a sub account. */
function readTarget(
  { accounts }: Pick<Bank, 'accounts'>,
  { account_number: accountNumber, ...named }: Target,
): Pick<Incoming, 'accountId' | 'accountNumber'> {
  const id = named.sub_account_id ?? named.account_id;
  if (accountNumber === undefined) {
    if (id !== undefined) return { accountId: readId('account', id) };
    throw refuse('field_invalid', {
      field: 'sub_account_id',
      message: 'sub_account_id is required, or account_number in its place',
    });
  }
  if (id === undefined) return { accountId: accounts.idOfNumber(accountNumber), accountNumber };
  throw refuse('field_invalid', {
    field: 'account_number',
    message: 'account_number names the account a second time; send it or the id',
  });
}
