/**
 * Documents of holders and their files. A document is created without its file, which is uploaded to its link within
 * 900 seconds.
 */
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import { isStateOf } from '../../model/places.ts';
import type { Document } from '../../model/records.ts';
import type { HolderType } from '../../model/vocabulary.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DocumentChange, NewDocument } from '../inputs.ts';
import { createFiles, type Files } from './files.ts';

export interface Documents extends Files {
  /** Checks that a holder of this type exists. Refuses: `holder_not_found`, naming `field`. */
  requireOwner(type: HolderType, id: Id, field: string): void;
  /** Refuses: `holder_not_found`, `field_invalid` for a document without any field, or with an unknown state. */
  create(input: NewDocument): Document;
  /** Refuses: `document_not_found`. */
  byId(id: Id): Document;
  /** The documents of a holder, newest first. */
  list(holderId: Id, window: Window): Page<Document>;
  /** Fields that are not sent stay. Refuses: `document_not_found`, `field_invalid` if no field would be left. */
  change(id: Id, change: DocumentChange): Document;
}

/** The verbs of documents. */
export function createDocuments(dependencies: Dependencies): Documents {
  const { store, sequence, clock } = dependencies;

  const byId = (id: Id): Document => {
    return found(store.documents.byId(id), 'document_not_found');
  };

  return {
    ...createFiles(dependencies, byId, 'document_not_found'),
    byId,
    requireOwner(type, id, field) {
      if (store.holders.byId(id)?.type !== type) throw refuse('holder_not_found', { field });
    },
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
      requireContent(document);
      requireKnownState(document);
      store.documents.insert(document);
      return document;
    },
    list: (holderId, window) => store.documents.list.page([on('holderId', { is: holderId })], window),
    change(id, change) {
      const changed: Document = { ...byId(id), ...change, updatedAt: clock.now() };
      requireContent(changed);
      if (change.issuingState !== undefined) requireKnownState(changed);
      store.documents.replace(changed);
      return changed;
    },
  };
}

const CONTENT = [
  'name',
  'description',
  'docType',
  'documentNumber',
  'expirationDate',
  'issuingCountry',
  'issuingState',
] as const satisfies (keyof Document)[];

/**
 * A code of two letters must be known; any longer text is accepted as a state. Decision `known-places` in
 * docs/fidelity.md.
 */
function requireKnownState({ issuingCountry, issuingState }: Document): void {
  if (issuingState.length !== 2 || isStateOf(issuingCountry, issuingState)) return;
  throw refuse('field_invalid', {
    field: 'issuingState',
    message: `issuingState must be the two-letter code of a state of the US, like OR, or of a province of CA, like ON, or its name; got "${issuingState}"`,
  });
}

/** Decision `document-content` in docs/fidelity.md. */
function requireContent(document: Document): void {
  if (CONTENT.some((field) => document[field].trim() !== '')) return;
  throw refuse('field_invalid', {
    field: 'docType',
    message: `docType or another field of the document is required: ${CONTENT.join(', ')}`,
  });
}
