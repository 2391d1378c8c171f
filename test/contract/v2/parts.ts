/**
 * The objects that records of v2 share: addresses, people and businesses with their checks, attachments. Source: the
 * shared shapes and the sub account holder of the platform's v2 reference.
 */
import { type Row, rows, under } from '../rows.ts';

/** The ids at the beginning of every record. */
export const OWNER = rows(`
  client_id                       cli_
  master_account_holder_id        mah_
  master_account_id               mas_
`);

export const ADDRESS = rows(`
  line1                           text?
  line2                           text?
  city                            text?
  state                           text?
  country                         text?
  postal_code                     text?
`);

/** A foreign bank, by its SWIFT code. */
export const foreignBank = (path: string): readonly Row[] => [
  ...rows(`
    ${path}                       object?
    ${path}.identifier_code       text
    ${path}.name                  text?
    ${path}.address               object?
  `),
  ...under(`${path}.address`, ADDRESS),
];

export const OFAC = rows(`
  ofac.status                     (pass|fail*)              : ofac-always-passes
  ofac.last_updated_at            time
`);

export const ATTACHMENTS = rows(`
  attachments                     list?
  attachments[].id                att_
  attachments[].label             text?
  + attachments[].created_at      time                      : in the published examples
  attachments[].timestamps.created_at time
  attachments[].timestamps.deleted_at empty                 : attachments-shown
`);

const details = (names: readonly string[], reasons: 'reason' | 'reasons') =>
  names.flatMap((name) =>
    rows(`
      details.${name}.status      (pass|fail|review|in_review)?
      details.${name}.${reasons}                list?
      details.${name}.${reasons}[].code         text
      details.${name}.${reasons}[].description  text
    `),
  );
const CHECK = rows(`
  status                          (pass|fail|review|not_started)
  method                          text
  url                             url?
`);
const KYC = [
  ...rows('id kyc_'),
  ...CHECK,
  ...details(['name', 'address', 'dob', 'ssn', 'phone', 'email', 'watchlist', 'fraud'], 'reasons'),
];
const KYB = [...rows('id kyb_'), ...CHECK, ...details(['name', 'address', 'watchlist', 'fraud'], 'reason')];
const IDV = [
  ...rows('id idv_'),
  ...CHECK,
  ...rows(`
    reasons                       list?
    reasons[].code                text
    reasons[].description         text
  `),
];

const NAMES = rows(`
  first_name                      text?
  middle_name                     text?
  last_name                       text?
  id_type                         (ssn|passport|other)?
  id_number                       text?
  date_of_birth                   date?
  phone                           phone?
  email                           text?
  address                         object?
`);

/** A person without checks: a card holder or a counterparty. */
export const SCREENED_PERSON = [
  ...NAMES,
  ...under('address', ADDRESS),
  ...rows(`
    kyc                           null                      : the person of a card holder or counterparty is screened, not verified
    idv                           null                      : the person of a card holder or counterparty is screened, not verified
  `),
];

/** A person with its checks: a holder. */
export const PERSON = [
  ...NAMES,
  ...under('address', ADDRESS),
  ...rows('kyc object'),
  ...under('kyc', KYC),
  ...rows('idv object'),
  ...under('idv', IDV),
];

const COMPANY = rows(`
  legal_name                      text?
  dba                             text?
  id_number                       text?
  phone                           phone?
  email                           text?
  formation_date                  date?
  address                         object?
  entity_type                     (sole_proprietor|single_member_llc|limited_liability_company|general_partnership|unlisted_corporation|publicly_traded_corporation|association|non_profit|government_organization|revocable_trust|irrevocable_trust|estate|professional_association|limited_partnership|limited_liability_partnership|professional_corporation)?
`);

/** A business without a check: a counterparty. */
export const SCREENED_BUSINESS = [
  ...COMPANY,
  ...rows('id_type (ein|other)?'),
  ...under('address', ADDRESS),
  ...rows(`
    kyb                           null                      : a counterparty is screened, not verified
    members                       none                      : a counterparty is screened, not verified
  `),
];

/** A business with its check and its members: a holder. */
export const BUSINESS = [
  ...COMPANY,
  ...rows('id_type (ein|other|+ssn)? : v1-business-fields'),
  ...under('address', ADDRESS),
  ...rows('kyb object'),
  ...under('kyb', KYB),
  ...rows(`
    members                       list
    members[].id                  mem_
    members[].ownership           percent
    members[].designation         text?
    members[].title               text?
    members[].control_person      flag
  `),
  ...under('members[]', NAMES),
  ...under('members[].address', ADDRESS),
  ...under('members[].kyc', KYC),
  ...under('members[].idv', IDV),
];
