/**
 * The ids of the records that a bank was founded with, by the names under which `GET /_sandbox` tells them.
 */
type SeededName =
  | 'client_id'
  | 'program_id'
  | 'master_account_holder_id'
  | 'master_account_id'
  | 'person_holder_id'
  | 'business_holder_id'
  | 'sub_account_id'
  | 'other_sub_account_id'
  | 'card_holder_id'
  | 'virtual_card_id'
  | 'physical_card_id'
  | 'ach_counterparty_id'
  | 'intra_counterparty_id'
  | 'transaction_id'
  | 'person_id'
  | 'account_id'
  | 'contact_id'
  | 'card_id'
  | 'webhook_id'
  | 'webhook_secret';

/** Those of the default founding; a bank that was seeded from another document may lack some and have no others. */
export type Seeded = Readonly<Record<SeededName, string>> & Readonly<Record<string, string>>;
