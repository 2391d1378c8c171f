/** The views of v1, by their names. */
import type { Views } from '../view.ts';
import { ACCOUNT_VIEW } from './accounts/format.ts';
import { BUSINESS_VIEW } from './businesses/format.ts';
import { CARD_VIEW } from './cards/format.ts';
import { CONTACT_VIEW } from './contacts/format.ts';
import { FAMILY_VIEW } from './families.ts';
import { MEMBER_VIEW } from './members.ts';
import { PERSON_VIEW } from './persons.ts';
import { TRANSACTION_VIEW } from './transactions/format.ts';
import { TRANSFER_VIEW } from './transfers/format.ts';
import { WALLET_VIEW } from './wallets.ts';

export const VIEWS: Views<'v1'> = {
  account: ACCOUNT_VIEW,
  business: BUSINESS_VIEW,
  card: CARD_VIEW,
  contact: CONTACT_VIEW,
  family: FAMILY_VIEW,
  member: MEMBER_VIEW,
  person: PERSON_VIEW,
  transaction: TRANSACTION_VIEW,
  transfer: TRANSFER_VIEW,
  wallet: WALLET_VIEW,
};
