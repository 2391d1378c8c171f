/**
 * POST /v1/person/{personId}/document: files a document of a person. The answer carries the link that the file itself
 * is sent to, and fetched from, for 900 seconds.
 * Source: "create a document" of the platform's v1 reference; row 45 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readNewDocument } from '../../../dialects/v1/readers/document.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Document, NewDocumentBody } from '../../../dialects/v1/shapes/document.ts';
import { viewDocument } from '../../../dialects/v1/views/document.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { operation } from '../../operation.ts';

export const createPersonDocument = operation({
  id: 'createPersonDocument',
  method: 'POST',
  path: '/v1/person/:personId/document',
  summary: 'Create a document of a person',
  status: 201,
  params: Type.Object({ personId: Type.String() }),
  body: NewDocumentBody,
  response: Document,
  example: {
    params: ({ seed }) => ({ personId: seed('person_id') }),
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
    const personId = readId('person', params.personId);
    // A person and a business are holders of one kind of id; this path is about persons.
    if (bank.holders.byId(personId).holder.type !== 'person') throw refuse('holder_not_found');
    const document = bank.documents.create(readNewDocument(personId, body));
    return viewDocument(document, fileLink(document.id));
  },
});
