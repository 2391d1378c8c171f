/**
 * Persons, businesses, families and members, with their verifications and documents.
 * Source: the person, business, family, member and document pages of the platform's v1 reference.
 */
import { type Row, rows, table, under } from '../rows.ts';
import { addressAt, KYB as KYB_ROWS, KYC as KYC_ROWS } from './parts.ts';

const MADE = `
  programId                       prg-
  metadata                        pairs?
  createdAt                       time
  modifiedAt                      time
`;

const PERSON_ROWS: readonly Row[] = [
  ...rows(`
    firstName                     text
    middleName                    text?
    lastName                      text
    phone                         phone?
    phoneVerified                 boolean
    email                         text?
    emailVerified                 boolean
    dateOfBirth                   date?
    idType                        (ssn|passport|otherId)?
    idNumber                      text?
    kyc                           object
    language                      text
    status                        (active|inactive|deactivated)
  `),
  ...rows(MADE),
  ...addressAt('address', 'mailing'),
];

export const PERSON = table('person', 'id per-', PERSON_ROWS, under('kyc', KYC_ROWS));
export const KYC = table('kyc', KYC_ROWS);

export const IDV = table(
  'idv',
  `
  id                              idv-
  url                             url
  status                          (notStarted|pending*|inReview|approved|declined) : idv-life
  createdAt                       time
  modifiedAt                      time
  `,
);

export const BUSINESS = table(
  'business',
  `
  id                              bus-
  legalName                       text
  entityType                      (soleProprietor|singleMemberLLC|limitedLiabilityCompany|generalPartnership|unlistedCorporation|publiclyTradedCorporation|association|nonProfit|governmentOrganization|revocableTrust|irrevocableTrust|estate|limitedPartnership|limitedLiabilityPartnership|+professionalAssociation|+professionalCorporation)? : two forms of v2 that v1 has no word for
  dba                             text?
  email                           text?
  idType                          (ein|ssn|otherId)?
  idNumber                        text?
  phone                           phone?
  formationDate                   date?
  website                         text?
  about                           text?
  industry                        text?
  naicsCode                       text?
  disclosureStatus                (notStarted|pending|completed)
  createdPersonId                 per-?
  kyb                             object
  status                          (active|inactive|dormant*|deactivated) : nothing becomes dormant here
  `,
  MADE,
  addressAt('address', 'mailing'),
  under('kyb', KYB_ROWS),
);
export const KYB = table('kyb', KYB_ROWS);

export const FAMILY = table(
  'family',
  `
  id                              fam-
  name                            text
  phone                           phone?
  email                           text?
  createdPersonId                 per-?
  status                          (active|inactive*|dormant*|deactivated*) : family-changes
  `,
  MADE,
  addressAt('address', 'mailing'),
);

/**
 * A member that v2 created and that is not a person of the bank has no person id: decision `member-details`.
 */
const UNVERIFIED = PERSON_ROWS.filter(({ path }) => path !== 'kyc');
export const MEMBER = table(
  'member',
  `
  id                              mem-
  businessId                      bus-?
  familyId                        fam-?
  isControlPerson                 boolean
  ownership                       percent?
  title                           text?
  metadata                        pairs?
  createdAt                       time
  modifiedAt                      time
  person                          object
  person.id                       per-?
  person.kyc                      object
  `,
  under('person', UNVERIFIED),
  under(
    'person.kyc',
    KYC_ROWS.map((row) => (row.path === 'personId' ? { ...row, isOptional: true } : row)),
  ),
);

const DOCUMENT_ROWS = `
  id                              doc-
  name                            text?
  description                     text?
  docType                         text?
  documentNumber                  text?
  expirationDate                  date?
  issuingCountry                  text?
  issuingState                    text?
  status                          (active)
  url                             url?
  createdAt                       time
  modifiedAt                      time
`;
export const DOCUMENT = table('document', DOCUMENT_ROWS, 'personId per-');
/** Decision `document-lists` in docs/fidelity.md. */
export const BUSINESS_DOCUMENT = table('document of a business', DOCUMENT_ROWS, 'businessId bus-');

/**
 * Any name of a method is accepted, so what is below the three is determined by the client: decision
 * `business-projections`.
 */
export const PROJECTION = table(
  'projection',
  `
  transactions                    object?
  transactions.annual.send        object?
  transactions.annual.receive     object?
  transactions.annual.incoming    object?
  `,
);

/** The platform publishes the beginning of its id and a currency. */
export const WALLET = table(
  'wallet',
  `
  id                              cpw-
  + accountId                     acc- : v1-wallets
  + label                         text : v1-wallets
  currency                        (BTC|+ETH*|+USDC*) : v1-wallets
  + status                        (active) : v1-wallets
  `,
  MADE,
);

export const PLAID_TOKEN = table(
  'plaid_token',
  `
  linkToken                       text
  expiresIn                       count
  `,
);

export const SESSION = table(
  'session',
  `
  accessToken                     text
  refreshRequired                 boolean
  `,
);

/** The app does not read it. */
export const SIGNED_OUT = table('signed_out', '');

export const DISCLOSURE = table(
  'disclosure',
  `
  url                             url?
  + businessId                    bus-                      : ownership-disclosure
  + redirectUri                   text?                     : ownership-disclosure
  + status                        (+pending|+completed) : ownership-disclosure
  + signedAt                      time?                     : ownership-disclosure
  + expiresAt                     time?                     : ownership-disclosure
  + modifiedAt                    time?                     : ownership-disclosure
  `,
);

export const NAICS_SECTOR = table(
  'naics_sector',
  `
  code                            integer
  name                            text
  total                           integer
  industries                      list
  industries[].code               integer
  industries[].name               text
  industries[].total              integer
  industries[].nationalIndustries list
  industries[].nationalIndustries[].code integer
  industries[].nationalIndustries[].name text
  `,
);
