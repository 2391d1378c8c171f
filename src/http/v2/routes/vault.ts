/**
 * What the platform's pages and apps call below /v2 in the words of v1: the number and code of a card, its PIN, the debit
 * card of a contact. They are v1's operations at another path, with v1's tokens, bodies and records; a refusal is v2's.
 * Source: the platform's public samples; row 251 of docs/fidelity.md.
 */
import { debitCardAt } from '../../v1/routes/set-debit-card.ts';
import { setPinAt } from '../../v1/routes/set-pin.ts';
import { showCardAt } from '../../v1/routes/show-card.ts';

const DEBIT_CARD = '/v2/contact/:contactId/debitcard';

const withRecordsOfV1 = <O extends object>(operation: O) => ({ ...operation, recordsOf: 'v1' as const });

export const showCardV1 = withRecordsOfV1(showCardAt('v2_show_card_v1', '/v2/card/:cardId/show'));
export const setPin = withRecordsOfV1(setPinAt('v2_set_pin', '/v2/card/:cardId/pin'));
export const updateDebitCard = withRecordsOfV1(debitCardAt('v2_update_debit_card', 'PATCH', DEBIT_CARD));
export const setDebitCard = withRecordsOfV1(debitCardAt('v2_set_debit_card', 'POST', DEBIT_CARD));
