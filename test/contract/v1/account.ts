/**
 * Accounts with their configuration, and statements.
 * Source: the account object and the account configuration of the platform's v1 reference.
 */
import { type Row, rows, table, under } from '../rows.ts';

const SEND = ['intrabank', 'ach', 'wire', 'check', 'card', 'debitCard', 'internationalWire'];
const RECEIVE = ['intrabank', 'ach', 'check', 'debitCard'];

const waysOf = (
  path: string,
  ways: readonly string[],
  form: (way: string) => readonly Row[],
): readonly Row[] => ways.flatMap((way) => under(`${path}.${way}`, form(way)));
const switched = (way: string): readonly Row[] =>
  rows(way === 'ach' ? 'enabled boolean\nsameDay boolean' : 'enabled boolean');
const LIMIT = rows(`
  daily                           money?
  monthly                         money?
`);

const CONFIG: readonly Row[] = [
  ...rows(`
    card.virtual.enabled          boolean
    card.virtual.count            count
    card.physical.enabled         boolean
    card.physical.count           count
    fallback.received             object?
    fallback.received.ach.enabled boolean
    fallback.received.ach.fallbackId acc-?
    fallback.received.card.enabled boolean
    fallback.received.card.fallbackId acc-?
    incoming.achPull.enabled      boolean
    incoming.achPull.allowedOriginators texts
    incoming.achPull.blockedOriginators texts
  `),
  ...waysOf('send', SEND, switched),
  ...waysOf('receive', RECEIVE, switched),
  ...under('limits.send', LIMIT),
  ...under('limits.receive', LIMIT),
  ...waysOf('limits.send', SEND, () => LIMIT),
  ...waysOf('limits.receive', RECEIVE, () => LIMIT),
];

export const ACCOUNT_V1 = table(
  'account',
  `
  id                              acc-
  + personId                      per-?                     : v1-shown-person
  businessId                      bus-?
  familyId                        fam-?
  label                           text?
  routingNumber                   digits:9?
  accountNumber                   digits:16?
  status                          (active|debitBlocked|creditBlocked|blocked|closed)
  type                            (businessChecking|personalChecking|cardAccount|clearingAccount|fallbackAccount|fundingAccount)
  programId                       prg-
  isVerified                      boolean
  verifiedAt                      empty                     : nothing verifies an account here
  acceptedTerms                   boolean
  interest                        rate
  fees                            rate
  currency                        (USD)
  availableBalance                signed
  pendingDebit                    money
  pendingCredit                   money
  sponsorBankName                 text
  createdPersonId                 per-?
  accountInterestFrequency        (annual)
  metadata                        pairs?
  config                          object
  createdAt                       time
  modifiedAt                      time
  `,
  under('config', CONFIG),
);

export const STATEMENT_MONTH = table(
  'month of a statement',
  `
  month                           integer
  year                            integer
  createdAt                       time
  `,
);

/** The objects in it are compared separately. */
export const STATEMENT = table(
  'statement',
  `
  accountId                       acc-
  personId                        per-?
  businessId                      bus-?
  familyId                        fam-?
  accountNumber                   digits:16
  routingNumber                   digits:9
  label                           text?
  startDate                       date
  endDate                         date
  openingBalance                  signed
  closingBalance                  signed
  totalCredit                     money
  totalDebit                      money
  transactions                    list
  `,
);
