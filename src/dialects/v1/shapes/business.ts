/**
 * A business, with the KYB that was made with it. The ownership disclosure is a paper that somebody signs elsewhere:
 * it is not emulated and has never been started.
 * Source: the business object of the platform's v1 reference; row 20 of docs/fidelity.md.
 */
import { HOLDER_STATUSES } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Metadata, orNull, record, Text, Timestamp, wordOf } from './scalars.ts';
import { Kyb } from './verification.ts';

export const Business = record('Business', {
  id: Text,
  legalName: Text,
  entityType: Text,
  dba: Text,
  email: Text,
  idType: Text,
  idNumber: Text,
  phone: Text,
  formationDate: Text,
  website: Text,
  about: Text,
  industry: Text,
  naicsCode: Text,
  disclosureStatus: wordOf(['notStarted', 'pending', 'completed']),
  address: orNull(Address),
  kyb: Kyb,
  createdPersonId: Text,
  programId: Text,
  status: wordOf([...new Set(Object.values(HOLDER_STATUSES)), 'dormant']),
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
