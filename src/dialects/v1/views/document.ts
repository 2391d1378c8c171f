/**
 * A document of a person or of a business. The link is not part of the record: it is made for the answer that shows it,
 * and is `''` where the platform shows none.
 * Source: "documents (person)" of the platform's v1 reference; rows 45 and 203 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant } from '../../../kernel/time.ts';
import type { Document } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { BusinessDocument, Document as DocumentShape } from '../shapes/document.ts';

/** A document of a person, with a link to its file. */
export function viewDocument(document: Document, url: string): Static<typeof DocumentShape> {
  const { id, ...rest } = viewRest(document, url);
  return { id, personId: spellV1('person', document.holderId), ...rest };
}

/** A document of a business, with a link to its file. */
export function viewBusinessDocument(document: Document, url: string): Static<typeof BusinessDocument> {
  const { id, ...rest } = viewRest(document, url);
  return { id, businessId: spellV1('business', document.holderId), ...rest };
}

function viewRest(document: Document, url: string): Omit<Static<typeof DocumentShape>, 'personId'> {
  return {
    id: spellV1('document', document.id),
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
