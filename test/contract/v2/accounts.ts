/**
 * The master account and sub accounts.
 * Source: the master account and sub account operations of the platform's v2 reference.
 */
import { table } from '../rows.ts';
import { ATTACHMENTS, OWNER } from './parts.ts';

const BANKED = `
  sponsor_bank                    text
  pending_credits                 money
  pending_debits                  money
  currency                        (usd)
  timestamps.created_at           time
  timestamps.updated_at           time
`;

export const MASTER_ACCOUNT = table(
  'master_account',
  `
  id                              mas_
  client_id                       cli_
  master_account_holder_id        mah_
  label                           text
  account_number                  text
  routing_number                  digits:9
  available_balance               money
  external_reference_id           empty                     : master-account
  purpose                         empty                     : master-account
  metadata                        null                      : master-account
  status                          (open|closed*|credit_blocked*|debit_blocked*|blocked*|locked*) : master-account
  timestamps.closed_at            empty                     : master-account
  `,
  BANKED,
  ATTACHMENTS,
);

export const SUB_ACCOUNT = table(
  'sub_account',
  OWNER,
  `
  id                              sub_
  sub_account_holder_id           sah_
  sub_account_holder_name         text?
  label                           text?
  type                            (cash|prepaid|checking)
  account_number                  text?
  routing_number                  digits:9?
  available_balance               signed
  external_reference_id           text?
  purpose                         text?
  metadata                        pairs?
  status                          (open|closed|credit_blocked|debit_blocked|blocked|locked)
  timestamps.closed_at            time?
  + timestamps.deactivated_at     time?                     : in the published examples
  `,
  BANKED,
  ATTACHMENTS,
);
