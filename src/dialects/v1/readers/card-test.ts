/**
 * Reads a card test: what the merchant tries, in the bank's words. What a test does not say of its merchant is the
 * bank's own test merchant, always the same.
 * Source: "card testing" of the platform's v1 reference; row 38 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CardAuthorization } from '../../../bank/inputs.ts';
import type { Cents } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { Merchant } from '../../../model/records.ts';
import type { CardTestBody } from '../shapes/card-test.ts';
import type { MerchantInput } from '../shapes/merchant.ts';
import { readId } from './ids.ts';
import { readAmount } from './values.ts';

type Body = Static<typeof CardTestBody>;

/** What a card test asks for. */
export type CardTest =
  | { kind: 'auth'; input: CardAuthorization }
  | { kind: 'authUpdate'; input: { cardId: Id; parentId: Id; total: Cents } }
  | { kind: 'reversal'; input: { cardId: Id; parentId: Id; amount: Cents } }
  | { kind: 'refund'; input: { cardId: Id; amount: Cents; parentId?: Id; merchant?: Partial<Merchant> } };

/** ISO 18245: cash from a machine. It is the only thing in a v1 test that says so. */
const ATM_CATEGORY = '6011';

/** Refuses: `amount_invalid`, `parent_missing`, `transaction_not_found`. */
export function readCardTest(cardId: Id, body: Body): CardTest {
  const amount = readAmount('amount', body.amount);
  const merchant = body.merchant && { merchant: readMerchant(body.merchant) };
  const kind = body.txnType ?? 'auth';
  switch (kind) {
    case 'auth': {
      const atm = merchant?.merchant.mcc === ATM_CATEGORY;
      return { kind, input: { cardId, amount, ...merchant, authMethod: body.authMethod ?? 'other', atm } };
    }
    case 'authUpdate':
      return { kind, input: { cardId, parentId: readParent(body), total: amount } };
    case 'reversal':
      return { kind, input: { cardId, parentId: readParent(body), amount } };
    case 'refund': {
      const parent = body.parentTxnId === undefined ? {} : { parentId: readParent(body) };
      return { kind, input: { cardId, amount, ...merchant, ...parent } };
    }
  }
}

function readParent({ parentTxnId }: Body): Id {
  if (parentTxnId === undefined || parentTxnId === '') throw refuse('parent_missing', { field: 'parentId' });
  return readId('transaction', parentTxnId);
}

/** What is not sent, or sent empty, is filled from the merchant of every test. */
function readMerchant(given: Static<typeof MerchantInput>): Partial<Merchant> {
  const { merchantName, merchantCity, merchantState, merchantCountry, postalCode, merchantId } = given;
  return {
    ...(merchantName && { name: merchantName }),
    ...(merchantCity && { city: merchantCity }),
    ...(merchantState && { state: merchantState }),
    ...(merchantCountry && { country: merchantCountry }),
    ...(postalCode && { postalCode }),
    ...(given.merchantCategory && { category: given.merchantCategory }),
    ...(given.merchantCategoryCode && { mcc: given.merchantCategoryCode }),
    ...(merchantId && { id: merchantId }),
  };
}
