/**
 * The groups of each OpenAPI document: their names, as the documents, the pages and the collections show them, and a
 * description of each.
 */
import type { ApiDocument } from './schemas.ts';

/** The group of the events. */
export const WEBHOOK_TAG = 'Events';

/** Parts of paths whose names are not spelled like plain words. */
const SPELLED: Readonly<Record<string, string>> = {
  ach: 'ACH',
  rtp: 'RTP',
  fednow: 'FedNow',
  debitcard: 'Debit card',
};

/** The name of a group after a part of a path: `sub_account` is `Sub account`. */
export function tagNameOf(part: string): string {
  const words = part.replaceAll('_', ' ');
  return SPELLED[part] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const SENT =
  'Events that a webhook of this version receives. A receiver must answer with 2xx within ten seconds.';

export const TAGS: Readonly<Record<ApiDocument['name'], Readonly<Record<string, string>>>> = {
  v2: {
    'Master account': 'The account at the partner bank that holds the money of all sub accounts.',
    'Sub account': 'Accounts of holders, with their balances.',
    'Sub account holder': 'Persons and businesses that own sub accounts, and their verification.',
    Counterparty: 'The other parties of payments, with their details for each rail.',
    'Card holder': 'Persons who can use cards of a sub account.',
    Card: 'Virtual and physical cards: controls, activation, PIN, and access to their numbers.',
    Contact: 'The debit card of a counterparty, set with a token.',
    Transaction: 'Transactions with their status.',
    'Intra account': 'Payments between two sub accounts of this bank.',
    ACH: 'Payments to and from other banks by ACH.',
    'Domestic wire': 'Wires to banks in the United States.',
    'International wire': 'Wires to banks abroad.',
    RTP: 'Instant payments by RTP.',
    FedNow: 'Instant payments by FedNow.',
    'Debit card': 'Payments to and from the debit card of a counterparty.',
    Check: 'Checks that are mailed, and checks that are deposited as images.',
    Attachment: 'Files that are attached to records.',
    Webhook: 'URLs that receive events.',
    Simulate: 'Simulated actions of other banks and merchants.',
    [WEBHOOK_TAG]: SENT,
  },
  v1: {
    Auth: 'Operations with which a mobile app signs its users in and out.',
    Person: 'Persons with their KYC, their IDV and their documents.',
    Program: 'The program of a key, with the lists of everything in it.',
    Business: 'Businesses with their KYB, their projections, their disclosure and their documents.',
    Family: 'Families whose members share accounts.',
    Member: 'Members of businesses and families.',
    Owner: 'Older paths of members.',
    Account: 'Accounts with their balances, transactions and statements.',
    Contact: 'The other parties of transfers, with their details for each rail.',
    Wallet: 'Wallets in other currencies, which are only records.',
    Card: 'Virtual and physical cards: limits, activation, PIN, tests, and access to their numbers.',
    Send: 'Transfers that debit an account.',
    Receive: 'Transfers that credit an account.',
    Batch: 'Many transfers in one request.',
    Webhook: 'URLs that receive events.',
    [WEBHOOK_TAG]: SENT,
  },
  sandbox: {
    Summary: 'The current state of a sandbox, with the ids of its seed.',
    Sandboxes: 'List, create and delete sandboxes.',
    State: 'Reset, seed, snapshots, export and import.',
    Clock: 'The time of the sandbox, and scheduled work.',
    Events: 'The event log and the deliveries.',
    Webhooks: 'Webhooks of both versions, their secrets, and delivery chaos.',
    Faults: 'Slow, failing or broken requests.',
    Inspect: 'Search, explanations, the ledger, the journal of requests, and a stream of activity.',
    Simulate: 'Simulated actions of other banks, merchants and the platform.',
    Rules: 'Rules and settings that decide the outcomes of payments.',
    'Real-time authorization': 'Your program that authorizes debits in real time.',
  },
};
