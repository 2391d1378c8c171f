/**
 * The objects that records of v1 share. An address says what it is for, and each place has one word for that.
 * Source: the address, KYC and merchant objects of the platform's v1 reference.
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

/** An address that is always there, whatever it may be for. */
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

const REVIEW = rows(`
  status                          (notStarted|submitted|approved|declined|inReview)
  reviewCode                      empty                     : nothing is published of the codes of a verification
  reviewMessage                   empty                     : nothing is published of the codes of a verification
  createdAt                       time
  modifiedAt                      time
`);

export const KYC = [
  ...rows(`
    id                            kyc-
    personId                      per-
    results.idv                   (notStarted|pending*|inReview|approved|declined) : idv-life
    reviewReasons.idv             none                      : the sandbox gives no reasons
    reviewReasons.address         none                      : the sandbox gives no reasons
    reviewReasons.dateOfBirth     none                      : the sandbox gives no reasons
    reviewReasons.fraud           none                      : the sandbox gives no reasons
    reviewReasons.bank            none                      : the sandbox gives no reasons
    reviewReasons.other           none                      : the sandbox gives no reasons
  `),
  ...REVIEW,
  ...results(['address', 'dateOfBirth', 'fraud', 'bank']),
];

export const KYB = [
  ...rows(`
    id                            kyb-
    businessId                    bus-
  `),
  ...REVIEW,
  ...results(['address', 'bank', 'businessName', 'fraud', 'personName']),
];

/** A merchant, of whom any text may be unknown. */
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
