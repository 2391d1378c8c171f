/**
 * Reads a new document. Every field is optional; the two that have a form are held to it.
 * Source: "documents (person)" of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { NewDocument } from '../../../bank/inputs.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { NewDocumentBody } from '../shapes/document.ts';
import { readCountry, readDate, sent } from './values.ts';

/** Refuses: `field_invalid`. */
export function readNewDocument(holderId: Id, body: Static<typeof NewDocumentBody>): NewDocument {
  const { expirationDate, issuingCountry } = body;
  return {
    holderId,
    ...sent(body, ['name', 'description', 'docType', 'documentNumber', 'issuingState']),
    ...(expirationDate !== undefined && { expirationDate: readDate('expirationDate', expirationDate) }),
    ...(issuingCountry !== undefined && { issuingCountry: readCountry('issuingCountry', issuingCountry) }),
  };
}
