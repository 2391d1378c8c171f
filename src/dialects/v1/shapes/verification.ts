/**
 * The verification of a person (KYC) and of a business (KYB): a status, and the result of each of its checks; and the
 * check of an identity document (IDV), which the person makes on a page of its own. Nothing
 * is published of what a review code of a verification looks like, so both review texts stay empty.
 * Source: the KYC sub-object, the business object and the webhook samples of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { VERIFICATION_STATUSES } from '../vocabulary.ts';
import { body, part, record, Text, Timestamp, wordOf } from './scalars.ts';

const Status = wordOf(Object.values(VERIFICATION_STATUSES));
const Result = wordOf(['notStarted', 'pending', 'inReview', 'approved', 'declined']);
const Reasons = Type.Array(part({ code: Text, description: Text }));

export const Kyc = record('Kyc', {
  id: Text,
  personId: Text,
  status: Status,
  reviewCode: Text,
  reviewMessage: Text,
  results: part({ idv: Result, address: Result, dateOfBirth: Result, fraud: Result, bank: Result }),
  reviewReasons: part({
    idv: Reasons,
    address: Reasons,
    dateOfBirth: Reasons,
    fraud: Reasons,
    bank: Reasons,
    other: Reasons,
  }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const Idv = record('Idv', {
  id: Text,
  url: Text,
  status: Result,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const IdvBody = body('IdvRequest', {
  action: Type.Optional(
    Type.Unsafe<'new' | 'resume'>({
      ...wordOf(['new', 'resume']),
      description: '`new` begins another check, `resume` answers the one that was begun.',
    }),
  ),
});

export const Kyb = record('Kyb', {
  id: Text,
  businessId: Text,
  status: Status,
  reviewCode: Text,
  reviewMessage: Text,
  results: part({ address: Result, bank: Result, businessName: Result, fraud: Result, personName: Result }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
