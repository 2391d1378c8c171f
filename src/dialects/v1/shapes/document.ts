/**
 * A document of a person or of a business. The two differ in the field that names the owner and in nothing else. No
 * field of the request is marked required by the platform, and the kind of document is free text: no list of kinds is
 * published.
 * Source: "documents (person)" of the platform's v1 reference; rows 45 and 203 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { listOf } from '../paging.ts';
import { body, DateText, IdText, record, Text, Timestamp, wordOf } from './scalars.ts';

const rest = {
  name: Text,
  description: Text,
  docType: Text,
  documentNumber: Text,
  expirationDate: DateText,
  issuingCountry: Text,
  issuingState: Text,
  status: wordOf(['active']),
  url: Type.String({ description: 'a link of 900 seconds, to send the file to and to fetch it from' }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
};

export const Document = record('Document', 'A document of a person.', {
  id: IdText,
  personId: IdText,
  ...rest,
});
export const BusinessDocument = record('BusinessDocument', 'A document of a business.', {
  id: IdText,
  businessId: IdText,
  ...rest,
});
export const DocumentList = listOf('DocumentList', Document);
export const BusinessDocumentList = listOf('BusinessDocumentList', BusinessDocument);

const fields = {
  name: Type.Optional(Type.String({ maxLength: 500 })),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  docType: Type.Optional(Type.String({ maxLength: 100 })),
  documentNumber: Type.Optional(Type.String({ maxLength: 100 })),
  expirationDate: Type.Optional(Type.String({ description: 'YYYY-MM-DD' })),
  issuingCountry: Type.Optional(Type.String({ maxLength: 60 })),
  issuingState: Type.Optional(Type.String({ maxLength: 60 })),
};

export const NewDocumentBody = body(
  'NewDocument',
  'What is said of a document; its file follows by the link of the answer.',
  fields,
);
export const DocumentChangeBody = body(
  'DocumentChange',
  'What of a document can be changed; what is left out stays.',
  fields,
);
