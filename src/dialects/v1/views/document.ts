/**
 * A document of a person. The link is not part of the record: it is made for the answer that shows it, and is `''`
 * where the platform shows none.
 * Source: "documents (person)" of the platform's v1 reference; row 45 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant } from '../../../kernel/time.ts';
import type { Document } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Document as DocumentShape } from '../shapes/document.ts';

/** A document, with a link to its file. */
export function viewDocument(document: Document, url: string): Static<typeof DocumentShape> {
  return {
    id: spellV1('document', document.id),
    personId: spellV1('person', document.holderId),
    name: document.name,
    description: document.description,
    docType: document.docType,
    documentNumber: document.documentNumber,
    expirationDate: document.expirationDate,
    issuingCountry: document.issuingCountry,
    issuingState: document.issuingState,
    status: document.status,
    url,
    createdAt: formatInstant(document.createdAt),
    modifiedAt: formatInstant(document.updatedAt),
  };
}
