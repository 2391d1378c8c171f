/**
 * The operations on transfers: POST, GET and PATCH of `/v1/send/{rail}` and `/v1/receive/{rail}` create a transfer,
 * list those of the rail, retrieve one and change its title, description and metadata. Such a change applies to the
 * transaction too. A transfer is found only under the path of its rail, including transfers of this bank and other
 * banks.
 * Source: the send and receive pages of the platform's v1 reference; decisions `too-little-money`,
 * `unfit-payment-side`, `family-money`, `incoming-money-pending`, `v1-transfer-texts`, `v1-transfer-status` and `bad-check-address` in
 * docs/fidelity.md.
 */

import { type TObject, Type } from '@sinclair/typebox';
import type { Id } from '../../../kernel/sequence.ts';
import { type OrderedRail, RAILS } from '../../../model/rails/index.ts';
import type { Transaction } from '../../../model/records.ts';
import type { Bank } from '../../../verbs/bank.ts';
import { type Context, ORIGINATION, operation, SHORTFALL } from '../../operation.ts';
import { requireHolder, requireMover } from '../callers.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList, parseWindow } from '../paging.ts';
import { isOrdered, ORIGINATED, transferTypeOf } from '../vocabulary.ts';
import { formatBatch, formatTransfer, TRANSFER_VIEW } from './format.ts';
import { parseBatch, parseTransferChange, parseTransferFilters } from './parse.ts';
import {
  RECEIVE_ACH,
  RECEIVE_CHECK,
  RECEIVE_DEBIT_PULL,
  RECEIVE_INTRABANK,
  SEND_ACH,
  SEND_CARD,
  SEND_CHECK,
  SEND_DEBIT_PUSH,
  SEND_INTRABANK,
  SEND_WIRE,
  type TransferRail,
} from './rails.ts';
import { Batch, BatchBody, ProgramTransferQuery, Transfer, TransferList, TransferQuery } from './shapes.ts';

const Params = Type.Object({ transferId: Type.String() });
const TEXTS = { title: 'Monthly', description: 'Invoice 88', metadata: { externalId: '7' } };

/** Formats a transfer with the card that was sent with it. */
const transferOf = (bank: Bank, transaction: Transaction) =>
  formatTransfer(bank.solidCards.withCard(transaction), bank.program);

const showTransfer = ({ bank, show }: Context, transaction: Transaction) =>
  show(TRANSFER_VIEW, bank.solidCards.withCard(transaction));

/**
 * Whether a transaction is found at the path of these rails: requests of clients, and payments of this bank or
 * another bank, because entries refer to their transfers too. Decision `v1-transfer-paths` in docs/fidelity.md.
 */
const isReadAt = (rails: readonly OrderedRail[]) => {
  const types = new Set<string>(rails.map((rail) => transferTypeOf({ rail, method: RAILS[rail].method })));
  return (transaction: Transaction): boolean =>
    rails.some((rail) => rail === transaction.rail) ||
    (!isOrdered(transaction) && types.has(transferTypeOf(transaction)));
};

/** The four operations of one rail. */
function railOperations<const Name extends string, B extends TObject, W extends TObject>(
  rail: TransferRail<Name, B, W>,
) {
  const path = `/v1/${rail.path}`;
  const { summaries, rails } = rail;
  /** The name of a seeded transfer of this rail. */
  const seeded = `${rail.path.replace('/', '_')}_id`;
  const capital = `${rail.name.charAt(0).toUpperCase()}${rail.name.slice(1)}` as Capitalize<Name>;

  const create = operation({
    id: rail.name,
    method: 'POST',
    path,
    summary: summaries.order,
    description: rail.description,
    answer: 'The new transfer.',
    decisions: rail.decisions,
    status: 201,
    refuses: [...ORIGINATION, ...SHORTFALL, 'limit_exceeded', 'not_account_holder'],
    body: rail.body,
    response: Transfer,
    example: {
      body: ({ seed }) => ({
        accountId: seed('account_id'),
        contactId: seed('vendor_contact_id'),
        amount: '41.20',
        ...TEXTS,
        ...rail.example,
      }),
    },
    run(call, { body }) {
      requireMover(call, [String(body.accountId)]);
      const transfer = rail.place(call.bank, body);
      const remark = call.bank.payments.changedTerms(transfer);
      if (remark !== '') call.hint(remark);
      return showTransfer(call, transfer);
    },
  });

  const list = operation({
    id: `list${capital}` as const,
    method: 'GET',
    path,
    summary: `List ${summaries.many}`,
    description:
      'Lists the transfers of this rail, newest first. The filters select an account, a status or a direction.',
    answer: 'A page of transfers, newest first.',
    status: 200,
    query: TransferQuery,
    response: TransferList,
    example: {
      query: ({ seed }) => ({ accountId: seed('account_id'), externalId: '7', offset: '0', limit: '10' }),
    },
    run({ bank }, { query }) {
      const page = bank.payments.list(parseTransferFilters(rails, query), parseWindow(query));
      return formatList(page, (transaction) => transferOf(bank, transaction));
    },
  });

  const retrieve = operation({
    id: `retrieve${capital}` as const,
    method: 'GET',
    path: `${path}/:transferId`,
    summary: `Retrieve ${summaries.one}`,
    description:
      'Retrieves a transfer of this rail; the id of a transfer of another rail returns 404. The status of the transfer follows its transaction.',
    answer: 'The transfer as it is now.',
    status: 200,
    params: Params,
    response: Transfer,
    example: { params: ({ seed }) => ({ transferId: seed(seeded) }) },
    run({ bank }, { params }) {
      const id = parseId('transfer', params.transferId);
      return transferOf(bank, bank.payments.transfer(id, isReadAt(rails)));
    },
  });

  const update = operation({
    id: `update${capital}` as const,
    method: 'PATCH',
    path: `${path}/:transferId`,
    summary: `Update ${summaries.one}`,
    description:
      'Updates the title, the description and the metadata of a transfer, and of its transaction. Its amount and its parties never change.',
    answer: 'The transfer after the change.',
    status: 200,
    params: Params,
    body: rail.change,
    response: Transfer,
    example: { params: ({ seed }) => ({ transferId: seed(seeded) }), body: TEXTS },
    run(context, { params, body }) {
      const { payments } = context.bank;
      const { id } = payments.ordered(parseId('transfer', params.transferId), rails);
      return showTransfer(context, payments.change(id, parseTransferChange(body)));
    },
  });

  return { create, list, retrieve, update, all: [create, list, retrieve, update] as const };
}

const sendIntrabank = railOperations(SEND_INTRABANK);
const sendAch = railOperations(SEND_ACH);
const sendWire = railOperations(SEND_WIRE);
const sendCheck = railOperations(SEND_CHECK);
export const sendCard = railOperations(SEND_CARD);
const sendDebitpush = railOperations(SEND_DEBIT_PUSH);
const receiveIntrabank = railOperations(RECEIVE_INTRABANK);
export const receiveAch = railOperations(RECEIVE_ACH);
const receiveCheck = railOperations(RECEIVE_CHECK);
const receiveDebitpull = railOperations(RECEIVE_DEBIT_PULL);

export const RAIL_OPERATIONS = [
  ...sendIntrabank.all,
  ...sendAch.all,
  ...sendWire.all,
  ...sendCheck.all,
  ...sendCard.all,
  ...sendDebitpush.all,
  ...receiveIntrabank.all,
  ...receiveAch.all,
  ...receiveCheck.all,
  ...receiveDebitpull.all,
] as const;

const IMAGES = ['image/png', 'image/jpeg', 'image/tiff'];
/** An image of one pixel. */
const PICTURE = {
  contentType: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

export const TRANSFER_OPERATIONS = [
  ...RAIL_OPERATIONS,

  operation({
    id: 'uploadCheckImages',
    method: 'PATCH',
    path: '/v1/receive/check/:transferId/files',
    summary: 'Upload the images of a check',
    description:
      'Uploads the two sides of a deposited check as the parts `front` and `back` of a form. The deposit waits for them and then continues. Their contents are not checked.',
    answer: 'The deposit with its images.',
    decisions: ['v1-check-image-upload'],
    status: 200,
    refuses: ['illegal_step', 'not_account_holder'],
    files: { front: IMAGES, back: IMAGES },
    response: Transfer,
    example: {
      params: ({ seed }) => ({ transferId: seed('receive_check_id') }),
      files: { front: PICTURE, back: PICTURE },
    },
    run(call, { params }) {
      const { bank, file, show } = call;
      const { id, accountId } = bank.payments.ordered(
        parseId('transfer', params.transferId),
        RECEIVE_CHECK.rails,
      );
      requireHolder(call, accountId as Id);
      const images = { front: file('front'), back: file('back') };
      return show(TRANSFER_VIEW, bank.payments.depositImages(id, images));
    },
  }),

  operation({
    id: 'createIntrabankBatch',
    method: 'POST',
    path: '/v1/batch/intrabank',
    summary: 'Create a batch of intrabank transfers',
    description:
      'Submits many transfers within this bank in one request. Each is executed or refused on its own. `GET /_sandbox/explain/{batchId}` lists the refused transfers with the reasons.',
    answer: 'The submitted batch.',
    decisions: ['v1-batch'],
    status: 201,
    refuses: ['not_account_holder'],
    body: BatchBody,
    response: Batch,
    example: {
      body: ({ seed }) => ({
        data: (['send', 'receive'] as const).map((api, place) => ({
          sequence: String(place + 1),
          api,
          accountId: seed('account_id'),
          contactId: seed('vendor_contact_id'),
          amount: '1.10',
          description: 'Rent',
          title: 'November',
        })),
      }),
    },
    run(call, { body }) {
      requireMover(
        call,
        body.data.map(({ accountId }) => accountId),
      );
      return formatBatch(call.bank.batches.submit(parseBatch(body)));
    },
  }),

  operation({
    id: 'listProgramTransfers',
    method: 'GET',
    path: '/v1/program/:programId/transfer',
    summary: 'List the transfers of a program',
    description: 'Lists the transfers of the program on every rail, newest first.',
    answer: 'A page of transfers, newest first.',
    decisions: ['v1-account-owner'],
    status: 200,
    query: ProgramTransferQuery,
    response: TransferList,
    example: {
      query: { transferType: 'ach', status: 'pending', offset: '0', limit: '10' },
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      const page = bank.payments.list(parseTransferFilters(ORIGINATED, query), parseWindow(query));
      return formatList(page, (transaction) => transferOf(bank, transaction));
    },
  }),
] as const;
