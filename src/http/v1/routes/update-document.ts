/**
 * PATCH /v1/person/{personId}/document/{documentId} and the same of a business: what is not sent stays, and the answer
 * carries no link.
 * Source: "update a document" of the platform's v1 reference; rows 45 and 203 of docs/fidelity.md.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { readDocumentChange } from '../../../dialects/v1/readers/document.ts';
import { DocumentChangeBody } from '../../../dialects/v1/shapes/document.ts';
import { operation } from '../../operation.ts';
import {
  BUSINESS,
  type DocumentOwner,
  documentsPath,
  exampleParams,
  PERSON,
  readDocument,
} from '../document-owners.ts';

function updateDocument<
  const N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
>(owner: DocumentOwner<N, P, D, R, L>) {
  return operation({
    id: `update${owner.name}Document` as const,
    method: 'PATCH',
    path: `${documentsPath(owner)}/:documentId`,
    summary: `Update a document of a ${owner.type}`,
    status: 200,
    params: owner.documentParams,
    body: DocumentChangeBody,
    response: owner.response,
    example: {
      params: (world) =>
        exampleParams<Static<D>>(owner, world, { documentId: world.seed(owner.documentSeed) }),
      body: {
        name: 'Driving license',
        description: 'both sides',
        docType: 'drivingLicense',
        documentNumber: 'D0077001',
        expirationDate: '2029-11-30',
        issuingCountry: 'US',
        issuingState: 'WA',
      },
    },
    run({ bank }, { params, body }) {
      const change = readDocumentChange(body);
      return owner.view(bank.documents.change(readDocument(bank, owner, params).id, change), '');
    },
  });
}

export const updatePersonDocument = updateDocument(PERSON);
export const updateBusinessDocument = updateDocument(BUSINESS);
