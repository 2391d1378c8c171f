/**
 * The verification of a person (KYC) and of a business (KYB): a status, and the result of each of its checks; and the
 * check of an identity document (IDV), which the person makes on a page of its own. Nothing
 * is published of what a review code of a verification looks like, so both review texts stay empty.
 * Source: the KYC sub-object, the business object and the webhook samples of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { VERIFICATION_STATUSES } from '../vocabulary.ts';
import { body, IdText, part, record, Text, Timestamp, text, wordOf } from './scalars.ts';

const Status = wordOf(Object.values(VERIFICATION_STATUSES));
const Result = wordOf(['notStarted', 'pending', 'inReview', 'approved', 'declined']);
const Reasons = Type.Array(part({ code: Text, description: Text }), {
  description: 'Empty: the sandbox gives no reasons.',
});

export const Kyc = record('Kyc', 'The verification of a person, with the result of each check.', {
  id: IdText,
  personId: IdText,
  status: Status,
  reviewCode: text('Why it was refused or sent back, in a word; "" when it was not.'),
  reviewMessage: text('The same in a sentence.'),
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

export const Idv = record('Idv', 'The check of an identity document.', {
  id: IdText,
  url: text('Where the person answers the check.'),
  status: Result,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const IdvBody = body('IdvRequest', 'Whether another check of the identity document begins.', {
  action: Type.Optional(
    Type.Unsafe<'new' | 'resume'>({
      ...wordOf(['new', 'resume']),
      description: '`new` begins another check, `resume` answers the one that was begun.',
    }),
  ),
});

export const Kyb = record('Kyb', 'The verification of a business, with the result of each check.', {
  id: IdText,
  businessId: IdText,
  status: Status,
  reviewCode: text('Why it was refused or sent back, in a word; "" when it was not.'),
  reviewMessage: text('The same in a sentence.'),
  results: part({ address: Result, bank: Result, businessName: Result, fraud: Result, personName: Result }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
