/**
 * A wallet: the place of another currency beside an account. This file contains its record, the body that creates one,
 * its list, and the operations.
 * Source: the `walletId` of transactions and cards in the platform's v1 reference, and its samples of events; decision
 * `v1-wallets` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatInstant } from '../../kernel/time.ts';
import type { WalletCondition } from '../../model/filters.ts';
import type { Program, Wallet as WalletRecord } from '../../model/records.ts';
import { WALLET_CURRENCIES } from '../../model/vocabulary.ts';
import type { NewWallet } from '../../verbs/inputs.ts';
import { formatV1 } from '../ids.ts';
import { operation } from '../operation.ts';
import { viewV1 } from '../view.ts';
import { body, enumOf, filledText, IdText, METADATA, parseId, record, Text, Timestamp } from './fields.ts';
import {
  Filter,
  formatList,
  idFilter,
  listOf,
  listQuery,
  parseCommonFilters,
  parseWindow,
  textFilters,
} from './paging.ts';

export const Wallet = record('Wallet', 'A wallet in another currency, without a balance.', {
  id: IdText,
  accountId: IdText,
  programId: IdText,
  label: Text,
  currency: enumOf(WALLET_CURRENCIES),
  status: enumOf(['active']),
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

const WalletList = listOf('WalletList', Wallet);

const NewWalletBody = body('NewWallet', 'The fields of a new wallet.', {
  accountId: Type.String({ description: 'the account that the wallet belongs to' }),
  currency: enumOf(WALLET_CURRENCIES),
  label: Type.Optional(filledText(100, 'a text that is not blank; default: the currency')),
  ...METADATA.inputs,
});

const WalletQuery = listQuery({
  id: Filter,
  accountId: Filter,
  currency: Type.Optional(enumOf(WALLET_CURRENCIES)),
});

/** Parses a new wallet. Refuses: `account_not_found`, `field_invalid`. */
function parseNewWallet({ accountId, currency, label, ...body }: Static<typeof NewWalletBody>): NewWallet {
  return {
    accountId: parseId('account', accountId, 'accountId'),
    currency,
    ...(label !== undefined && { label }),
    ...METADATA.parse(body),
  };
}

/** Parses the filters of the list. Refuses: `field_invalid`. */
function parseWalletFilters(query: Static<typeof WalletQuery>): WalletCondition[] {
  return [
    ...parseCommonFilters(query),
    ...idFilter('id', 'wallet', query.id),
    ...idFilter('accountId', 'account', query.accountId),
    ...textFilters(query, { currency: 'currency' }),
  ];
}

export const WALLET_VIEW = viewV1('wallet', formatWallet);

/** Formats a wallet. */
export function formatWallet(wallet: WalletRecord, program: Program): Static<typeof Wallet> {
  return {
    id: formatV1('wallet', wallet.id),
    accountId: formatV1('account', wallet.accountId),
    programId: formatV1('program', program.programId),
    label: wallet.label,
    currency: wallet.currency,
    status: wallet.status,
    ...METADATA.format(wallet),
    createdAt: formatInstant(wallet.createdAt),
    modifiedAt: formatInstant(wallet.updatedAt),
  };
}

export const WALLET_OPERATIONS = [
  operation({
    id: 'createWallet',
    method: 'POST',
    path: '/v1/wallet',
    summary: 'Create a wallet',
    description:
      'Creates a wallet in another currency for an account. No chain is behind it: it has no balance, and nothing can be bought, sold, sent or received.',
    answer: 'The new wallet.',
    decisions: ['v1-wallets'],
    status: 201,
    body: NewWalletBody,
    response: Wallet,
    refuses: ['account_not_active'],
    example: {
      body: ({ seed }) => ({
        accountId: seed('account_id'),
        currency: 'BTC',
        label: 'Savings in Bitcoin',
        metadata: { externalId: '15' },
      }),
    },
    run: ({ bank, show }, { body }) => show(WALLET_VIEW, bank.wallets.create(parseNewWallet(body))),
  }),

  operation({
    id: 'listWallets',
    method: 'GET',
    path: '/v1/wallet',
    summary: 'List wallets',
    description: 'Lists wallets, newest first. The filters select an account or a currency.',
    answer: 'A page of wallets, newest first.',
    decisions: ['v1-wallets', 'list-paging'],
    status: 200,
    query: WalletQuery,
    response: WalletList,
    example: { query: { limit: '10', currency: 'BTC' } },
    run: ({ bank: { wallets, program } }, { query }) =>
      formatList(wallets.list(parseWalletFilters(query), parseWindow(query)), (wallet) =>
        formatWallet(wallet, program),
      ),
  }),

  operation({
    id: 'retrieveWallet',
    method: 'GET',
    path: '/v1/wallet/:walletId',
    summary: 'Retrieve a wallet',
    description: 'Retrieves a wallet. It has no balance, because no chain is behind it.',
    answer: 'The wallet.',
    decisions: ['v1-wallets'],
    status: 200,
    response: Wallet,
    run: ({ bank }, { params }) =>
      formatWallet(bank.wallets.byId(parseId('wallet', params.walletId)), bank.program),
  }),
] as const;
