/**
 * POST /v1/person/{personId}/document and the same of a business: files a document. The answer carries the link that the
 * file itself is sent to, and fetched from, for 900 seconds.
 * Source: "create a document" of the platform's v1 reference; rows 45 and 203 of docs/fidelity.md.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { readNewDocument } from '../../../dialects/v1/readers/document.ts';
import { NewDocumentBody } from '../../../dialects/v1/shapes/document.ts';
import { operation } from '../../operation.ts';
import {
  BUSINESS,
  type DocumentOwner,
  documentsPath,
  exampleParams,
  PERSON,
  readOwner,
} from '../document-owners.ts';

function createDocument<
  const N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
>(owner: DocumentOwner<N, P, D, R, L>) {
  return operation({
    id: `create${owner.name}Document` as const,
    method: 'POST',
    path: documentsPath(owner),
    summary: `Create a document of a ${owner.type}`,
    status: 201,
    params: owner.params,
    body: NewDocumentBody,
    response: owner.response,
    example: {
      params: (world) => exampleParams<Static<P>>(owner, world),
      body: {
        name: 'Passport',
        description: 'front page',
        docType: 'passport',
        documentNumber: 'P0012345',
        expirationDate: '2031-05-01',
        issuingCountry: 'US',
        issuingState: 'OR',
      },
    },
    run({ bank, fileLink }, { params, body }) {
      const document = bank.documents.create(readNewDocument(readOwner(bank, owner, params), body));
      return owner.view(document, fileLink('document', document.id));
    },
  });
}

export const createPersonDocument = createDocument(PERSON);
export const createBusinessDocument = createDocument(BUSINESS);
