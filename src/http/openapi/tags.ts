/**
 * The groups of each OpenAPI document: their names, as the documents, the pages and the collections show them, and a
 * description of each.
 */
import type { ApiDocument } from './schemas.ts';

/** The group of what webhooks are sent. */
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

const SENT = 'What a webhook of this version receives. A receiver answers with 2xx within ten seconds.';

export const TAGS: Readonly<Record<ApiDocument['name'], Readonly<Record<string, string>>>> = {
  v2: {
    'Master account': 'The account at the partner bank that holds the money of all sub accounts.',
    'Sub account': 'Accounts of holders, with their balances.',
    'Sub account holder': 'Persons and businesses that own sub accounts, and their verification.',
    Counterparty: 'The other parties of payments, with their details for each rail.',
    'Card holder': 'Persons who may use cards of a sub account.',
    Card: 'Virtual and physical cards: controls, activation, PIN, and how their numbers are shown.',
    Contact: 'The debit card of a counterparty, set by a token.',
    Transaction: 'Every movement of money, with its status.',
    'Intra account': 'Payments between two sub accounts of this bank.',
    ACH: 'Payments to and from other banks by ACH.',
    'Domestic wire': 'Wires to banks in the United States.',
    'International wire': 'Wires to banks abroad.',
    RTP: 'Instant payments by RTP.',
    FedNow: 'Instant payments by FedNow.',
    'Debit card': 'Payments to and from the debit card of a counterparty.',
    Check: 'Checks that are mailed, and checks that are deposited by their images.',
    Attachment: 'Files that are attached to records.',
    Webhook: 'Addresses that receive events.',
    Simulate: 'What other banks and merchants do, simulated.',
    [WEBHOOK_TAG]: SENT,
  },
  v1: {
    Auth: 'The calls with which a mobile app signs its users in and out.',
    Person: 'Persons with their KYC, their IDV and their documents.',
    Program: 'The program of a key, with the lists of everything in it.',
    Business: 'Businesses with their KYB, their projections, their disclosure and their documents.',
    Family: 'Families whose members share accounts.',
    Member: 'Members of businesses and families.',
    Owner: 'The older paths of members.',
    Account: 'Accounts with their balances, transactions and statements.',
    Contact: 'The other parties of transfers, with their details for each rail.',
    Card: 'Virtual and physical cards: limits, activation, PIN, tests, and how their numbers are shown.',
    Send: 'Transfers that take money out of an account.',
    Receive: 'Transfers that bring money into an account.',
    Batch: 'Many transfers in one call.',
    Webhook: 'Addresses that receive events.',
    [WEBHOOK_TAG]: SENT,
  },
  sandbox: {
    Summary: 'What a sandbox is at this moment, with the ids of its seed.',
    Sandboxes: 'Sandboxes that are listed, created and deleted.',
    State: 'Reset, seed, snapshots, export and import.',
    Clock: 'The time of the sandbox, and what is planned.',
    Events: 'The log of events and their deliveries.',
    Webhooks: 'Webhooks of both versions, their secrets, and deliveries that go wrong.',
    Faults: 'Requests that are made slow, refused or broken.',
    Inspect: 'Search, explanations, the ledger, the journal of requests, and a stream of activity.',
    Simulate: 'What other banks, merchants and the platform do, simulated.',
    Rules: 'Rules and settings that decide what becomes of payments.',
    'Real-time authorization': 'A program of yours that decides debits in real time.',
    Fleet: 'Sandboxes that move between the banks of a fleet.',
  },
};
