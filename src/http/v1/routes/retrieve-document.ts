/**
 * GET /v1/person/{personId}/document/{documentId} and the same of a business: one document, with a fresh link.
 * Source: the document operations of the platform's v1 reference; rows 45 and 203 of docs/fidelity.md.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { operation } from '../../operation.ts';
import {
  BUSINESS,
  type DocumentOwner,
  documentsPath,
  exampleParams,
  PERSON,
  readDocument,
} from '../document-owners.ts';

function retrieveDocument<
  const N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
>(owner: DocumentOwner<N, P, D, R, L>) {
  return operation({
    id: `retrieve${owner.name}Document` as const,
    method: 'GET',
    path: `${documentsPath(owner)}/:documentId`,
    summary: `Retrieve a document of a ${owner.type}`,
    status: 200,
    params: owner.documentParams,
    response: owner.response,
    example: {
      params: (world) =>
        exampleParams<Static<D>>(owner, world, { documentId: world.seed(owner.documentSeed) }),
    },
    run({ bank, fileLink }, { params }) {
      const document = readDocument(bank, owner, params);
      return owner.view(document, fileLink('document', document.id));
    },
  });
}

export const retrievePersonDocument = retrieveDocument(PERSON);
export const retrieveBusinessDocument = retrieveDocument(BUSINESS);
