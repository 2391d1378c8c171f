/**
 * GET /v1/person/{personId}/document and the same of a business: the documents of one owner, newest first, without links.
 * Source: "list all documents" of the platform's v1 reference; rows 16, 45 and 203 of docs/fidelity.md.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { plainListQuery, readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { operation } from '../../operation.ts';
import {
  BUSINESS,
  type DocumentOwner,
  documentsPath,
  exampleParams,
  PERSON,
  readOwner,
} from '../document-owners.ts';

function listDocuments<
  const N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
>(owner: DocumentOwner<N, P, D, R, L>) {
  return operation({
    id: `list${owner.name}Documents` as const,
    method: 'GET',
    path: documentsPath(owner),
    summary: `List the documents of a ${owner.type}`,
    status: 200,
    params: owner.params,
    query: plainListQuery({}),
    response: owner.listResponse,
    example: {
      params: (world) => exampleParams<Static<P>>(owner, world),
      query: { offset: '0', limit: '10' },
    },
    run({ bank }, { params, query }) {
      const page = bank.documents.list(readOwner(bank, owner, params), readWindow(query));
      return writeList(page, (document) => owner.view(document, '')) as Static<L>;
    },
  });
}

export const listPersonDocuments = listDocuments(PERSON);
export const listBusinessDocuments = listDocuments(BUSINESS);
