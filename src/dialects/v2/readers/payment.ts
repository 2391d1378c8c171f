/**
 * Reads the bodies that originate payments. A v2 payment that the balance does not cover is recorded as declined, so
 * every origination asks the bank to record it.
 * Source: the origination operations of the platform's v2 reference; rows 28 and 186 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Origination, UploadedFile } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { readId } from '../ids.ts';
import type {
  AchOrigination,
  CheckDeposit,
  InstantOrigination,
  PlainOrigination,
} from '../shapes/origination.ts';
import { readAmount, readDate, readFlag, sent } from './fields.ts';

/** Reads what every origination takes. Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function readOrigination(body: Static<typeof PlainOrigination>): Origination {
  return {
    accountId: readId('account', body.sub_account_id),
    counterpartyId: readId('counterparty', body.counterparty_id),
    amount: readAmount(body.amount),
    ...sent('description', body.description),
    ...sent('externalReferenceId', body.external_reference_id),
    shortage: 'record',
  };
}

/** Reads an ACH payment. Refuses as every origination does, and `field_invalid` for a date that is none. */
export function readAchOrigination(body: Static<typeof AchOrigination>): Origination {
  const date = readDate('effective_date', body.effective_date ?? '');
  return {
    ...readOrigination(body),
    ...sent('sameDay', body.same_day === undefined ? undefined : readFlag(body.same_day)),
    ...sent('effectiveDate', date === '' ? undefined : date),
    ...sent('companyDiscretionaryData', body.company_discretionary_data),
    ...sent('companyEntryDescription', body.company_entry_description),
  };
}

/** Reads a payment by RTP or FedNow. Refuses as every origination does. */
export function readInstantOrigination(body: Static<typeof InstantOrigination>): Origination {
  return { ...readOrigination(body), ...sent('referenceNumber', body.reference_number) };
}

/** Reads the deposit of a check. Refuses as every origination does, and `field_invalid` for an image that is no base64. */
export function readCheckDeposit(body: Static<typeof CheckDeposit>): Origination {
  return {
    ...readOrigination(body),
    images: { front: readImage('front', body.image.front), back: readImage('back', body.image.back) },
  };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** How the files begin in which images of checks are kept. */
const BEGINNINGS: readonly (readonly [contentType: string, hex: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/tiff', '49492a00'],
  ['image/tiff', '4d4d002a'],
  ['image/gif', '47494638'],
];

function readImage(field: string, text: string): UploadedFile {
  if (text.length % 4 !== 0 || !BASE64.test(text)) {
    throw refuse('field_invalid', { field, message: `image.${field} is an image in base64, padded with =` });
  }
  const content = Buffer.from(text, 'base64');
  const start = content.subarray(0, 8).toString('hex');
  const found = BEGINNINGS.find(([, hex]) => start.startsWith(hex));
  return { contentType: found?.[0] ?? 'application/octet-stream', content };
}
