/**
 * Sub account holders and card holders.
 * Source: the sub account holder operations of the platform's v2 reference, and its card holder operations.
 */
import { table, under } from '../rows.ts';
import { ATTACHMENTS, BUSINESS, OFAC, OWNER, PERSON, SCREENED_PERSON } from './parts.ts';

const HOLDER_STATE = `
  external_reference_id           text?
  purpose                         text?
  metadata                        pairs?
  timestamps.created_at           time
  timestamps.updated_at           time
  timestamps.deactivated_at       time?
`;

/** A person or a business; the other object is `null`. */
export const SUB_ACCOUNT_HOLDER = table(
  'sub_account_holder',
  OWNER,
  `
  id                              sah_
  type                            (person|business)
  person                          object?
  business                        object?
  status                          (pending_activation|activated|suspended|deactivated|locked)
  `,
  HOLDER_STATE,
  OFAC,
  ATTACHMENTS,
  under('person', PERSON),
  under('business', BUSINESS),
);

export const CARD_HOLDER = table(
  'card_holder',
  OWNER,
  `
  id                              cah_
  sub_account_holder_id           sah_
  sub_account_id                  sub_
  person                          object
  status                          (pending_activation*|activated|suspended|deactivated|locked*) : v2-uncaused-kinds
  `,
  HOLDER_STATE,
  OFAC,
  ATTACHMENTS,
  under('person', SCREENED_PERSON),
);
