/**
 * Documents of holders, and the files behind them. Creating one takes no file: its link does, within 900 seconds.
 */
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Document } from '../model/records.ts';
import type { NewDocument } from './inputs.ts';
import type { Parts } from './parts.ts';

/** What was uploaded. */
export interface UploadedFile {
  contentType: string;
  content: Buffer;
}

export interface Documents {
  /** Refuses: `holder_not_found`. */
  create(input: NewDocument): Document;
  /** Refuses: `document_not_found`. */
  byId(id: Id): Document;
  /** Puts the document's file in the place of any former one. Refuses: `document_not_found`. */
  upload(id: Id, file: UploadedFile): void;
  /** Refuses: `document_not_found`, also while nothing was uploaded. */
  download(id: Id): UploadedFile;
}

/** The verbs of documents. */
export function createDocuments(parts: Parts): Documents {
  const { store, sequence, clock } = parts;

  const byId = (id: Id): Document => {
    const document = store.documents.byId(id);
    if (document === undefined) throw refuse('document_not_found');
    return document;
  };

  return {
    byId,
    create(input) {
      if (store.holders.byId(input.holderId) === undefined) throw refuse('holder_not_found');
      const now = clock.now();
      const document: Document = {
        id: sequence.id(now),
        holderId: input.holderId,
        name: input.name ?? '',
        description: input.description ?? '',
        docType: input.docType ?? '',
        documentNumber: input.documentNumber ?? '',
        expirationDate: input.expirationDate ?? '',
        issuingCountry: input.issuingCountry ?? '',
        issuingState: input.issuingState ?? '',
        status: 'active',
        createdAt: now,
        updatedAt: now,
      };
      store.documents.insert(document);
      return document;
    },
    upload(id, file) {
      byId(id);
      const row = { id, ...file, updatedAt: clock.now() };
      if (store.files.byId(id) === undefined) store.files.insert(row);
      else store.files.replace(row);
    },
    download(id) {
      byId(id);
      const file = store.files.byId(id);
      if (file === undefined) {
        throw refuse('document_not_found', { message: 'nothing was uploaded for this document yet' });
      }
      return file;
    },
  };
}
