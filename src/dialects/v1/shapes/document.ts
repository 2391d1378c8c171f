/**
 * A document of a person. No field of the request is marked required by the platform, and the kind of document is
 * free text: no list of kinds is published.
 * Source: "documents (person)" of the platform's v1 reference; row 45 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { body, record, Text, Timestamp, wordOf } from './scalars.ts';

export const Document = record('Document', {
  id: Text,
  personId: Text,
  name: Text,
  description: Text,
  docType: Text,
  documentNumber: Text,
  expirationDate: Text,
  issuingCountry: Text,
  issuingState: Text,
  status: wordOf(['active']),
  url: Type.String({ description: 'a link of 900 seconds, to send the file to and to fetch it from' }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const NewDocumentBody = body('NewDocument', {
  name: Type.Optional(Type.String({ maxLength: 500 })),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  docType: Type.Optional(Type.String({ maxLength: 100 })),
  documentNumber: Type.Optional(Type.String({ maxLength: 100 })),
  expirationDate: Type.Optional(Type.String({ description: 'YYYY-MM-DD' })),
  issuingCountry: Type.Optional(Type.String({ maxLength: 60 })),
  issuingState: Type.Optional(Type.String({ maxLength: 60 })),
});
