/**
 * Reads a new document, and the change of one. Every field is optional; the two that have a form are held to it.
 * Source: "documents (person)" of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { DocumentChange, NewDocument } from '../../../bank/inputs.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { DocumentChangeBody, NewDocumentBody } from '../shapes/document.ts';
import { readCountry, readDate, sent } from './values.ts';

/** Refuses: `field_invalid`. */
export function readNewDocument(holderId: Id, body: Static<typeof NewDocumentBody>): NewDocument {
  return { holderId, ...readDocumentChange(body) };
}

/** Refuses: `field_invalid`. */
export function readDocumentChange(body: Static<typeof DocumentChangeBody>): DocumentChange {
  const { expirationDate, issuingCountry } = body;
  return {
    ...sent(body, ['name', 'description', 'docType', 'documentNumber', 'issuingState']),
    ...(expirationDate !== undefined && { expirationDate: readDate('expirationDate', expirationDate) }),
    ...(issuingCountry !== undefined && { issuingCountry: readCountry('issuingCountry', issuingCountry) }),
  };
}
