/** The views of v2, by their names. */
import type { Views } from '../view.ts';
import { ACCOUNT_VIEW } from './accounts.ts';
import { CARD_HOLDER_VIEW } from './card-holders.ts';
import { CARD_VIEW } from './cards/format.ts';
import { COUNTERPARTY_VIEW } from './counterparties/counterparty.ts';
import { HOLDER_VIEW } from './holders.ts';
import { TRANSACTION_VIEW } from './transactions/format.ts';

export const VIEWS: Views<'v2'> = {
  account: ACCOUNT_VIEW,
  card: CARD_VIEW,
  card_holder: CARD_HOLDER_VIEW,
  counterparty: COUNTERPARTY_VIEW,
  holder: HOLDER_VIEW,
  transaction: TRANSACTION_VIEW,
};
