/**
 * The objects that records of v1 share. An address has its use, and each place has one value for it. Source: the
 * address, KYC and merchant objects of the platform's v1 reference.
 */
import { type Row, rows, under } from '../rows.ts';

type AddressType = 'mailing' | 'billing' | 'shipping' | 'card' | 'wire' | 'check';

const LINES = rows(`
  line1                           text?
  line2                           text?
  city                            text?
  state                           text?
  country                         text?
  postalCode                      text?
`);

/** An address that always exists, with any use. */
export const addressFor = (...types: AddressType[]): readonly Row[] => [
  ...rows(`addressType (${types.join('|')})?`),
  ...LINES,
];

/** An address at this path, or `null`. */
export const addressAt = (path: string, type: AddressType): readonly Row[] => [
  ...rows(`${path} object?`),
  ...under(path, [...rows(`addressType (${type})`), ...LINES]),
];

const results = (names: readonly string[]): readonly Row[] =>
  names.flatMap((name) =>
    rows(
      `results.${name} (notStarted|pending*|inReview|approved|declined) : a check that waits was not begun`,
    ),
  );

/** The reasons by subject; those of a business are ours. */
const reasons = (names: readonly string[], ours = ''): readonly Row[] =>
  names.flatMap((name) =>
    rows(`
      ${ours && '+'} reviewReasons.${name} list ${ours}
      ${ours && '+'} reviewReasons.${name}[].code text ${ours}
      ${ours && '+'} reviewReasons.${name}[].description text ${ours}
    `),
  );

const REVIEW = rows(`
  status                          (notStarted|submitted|approved|declined|inReview)
  reviewCode                      text?
  reviewMessage                   text?
  createdAt                       time
  modifiedAt                      time
`);

export const KYC = [
  ...rows(`
    id                            kyc-
    personId                      per-
    results.idv                   (notStarted|pending*|inReview|approved|declined) : idv-life
  `),
  ...REVIEW,
  ...results(['address', 'dateOfBirth', 'fraud', 'bank']),
  ...reasons(['idv', 'address', 'dateOfBirth', 'fraud', 'bank', 'other']),
];

export const KYB = [
  ...rows(`
    id                            kyb-
    businessId                    bus-
  `),
  ...REVIEW,
  ...results(['address', 'bank', 'businessName', 'fraud', 'personName']),
  ...reasons(['address', 'bank', 'businessName', 'fraud', 'personName', 'other'], ': verification-reasons'),
];

/** A merchant; any of its fields can be unknown. */
export const MERCHANT = rows(`
  merchantName                    text?
  merchantCity                    text?
  merchantState                   text?
  merchantCountry                 text?
  postalCode                      text?
  merchantCategory                text?
  merchantCategoryCode            digits:4?
  merchantId                      text?
`);
