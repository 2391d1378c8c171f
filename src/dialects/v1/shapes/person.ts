/**
 * A person, with the KYC that was made with it.
 * Source: the person object of the platform's v1 reference; row 20 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { HOLDER_STATUSES } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Metadata, orNull, record, Text, Timestamp, wordOf } from './scalars.ts';
import { Kyc } from './verification.ts';

export const Person = record('Person', {
  id: Text,
  firstName: Text,
  middleName: Text,
  lastName: Text,
  phone: Text,
  phoneVerified: Type.Boolean(),
  email: Text,
  emailVerified: Type.Boolean(),
  dateOfBirth: Text,
  idType: Text,
  idNumber: Text,
  address: orNull(Address),
  kyc: Kyc,
  programId: Text,
  status: wordOf([...new Set(Object.values(HOLDER_STATUSES))]),
  language: Text,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
