/**
 * The groups of each OpenAPI document in a sentence each, by the names that `tagOf` gives them.
 */
import type { ApiDocument } from './schemas.ts';

/** The group of what webhooks are sent. */
export const WEBHOOK_TAG = 'events';

const SENT = 'What a webhook of this version receives. A receiver answers with 2xx within ten seconds.';

export const TAGS: Readonly<Record<ApiDocument['name'], Readonly<Record<string, string>>>> = {
  v2: {
    'master account': 'The account at the partner bank that holds the money of all sub accounts.',
    'sub account': 'Accounts of holders, with their balances.',
    'sub account holder': 'Persons and businesses that own sub accounts, and their verification.',
    counterparty: 'The other parties of payments, with their details for each rail.',
    'card holder': 'Persons who may use cards of a sub account.',
    card: 'Virtual and physical cards: controls, activation, PIN, and how their numbers are shown.',
    contact: 'The debit card of a counterparty, set by a token.',
    transaction: 'Every movement of money, with its status.',
    'intra account': 'Payments between two sub accounts of this bank.',
    ach: 'Payments to and from other banks by ACH.',
    'domestic wire': 'Wires to banks in the United States.',
    'international wire': 'Wires to banks abroad.',
    rtp: 'Instant payments by RTP.',
    fednow: 'Instant payments by FedNow.',
    debitcard: 'Payments to and from the debit card of a counterparty.',
    check: 'Checks that are mailed, and checks that are deposited by their images.',
    attachment: 'Files that are attached to records.',
    webhook: 'Addresses that receive events.',
    simulate: 'What other banks and merchants do, simulated.',
    [WEBHOOK_TAG]: SENT,
  },
  v1: {
    auth: 'The calls with which a mobile app signs its users in and out.',
    person: 'Persons with their KYC, their IDV and their documents.',
    program: 'The program of a key, with the lists of everything in it.',
    business: 'Businesses with their KYB, their projections, their disclosure and their documents.',
    family: 'Families whose members share accounts.',
    member: 'Members of businesses and families.',
    owner: 'The older paths of members.',
    account: 'Accounts with their balances, transactions and statements.',
    contact: 'The other parties of transfers, with their details for each rail.',
    card: 'Virtual and physical cards: limits, activation, PIN, tests, and how their numbers are shown.',
    send: 'Transfers that take money out of an account.',
    receive: 'Transfers that bring money into an account.',
    batch: 'Many transfers in one call.',
    webhook: 'Addresses that receive events.',
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
    Look: 'Search, explanations, the ledger, the journal of requests, and a stream of activity.',
    Simulate: 'What other banks, merchants and the platform do, simulated.',
    Rules: 'Rules and settings that decide what becomes of payments.',
    'Real-time authorization': 'A program of yours that decides debits in real time.',
    Fleet: 'Sandboxes that move between the banks of a fleet.',
  },
};
