/**
 * The documents of a person or of a business. The two differ in the path and in the field of the owner, so each
 * operation is written once and created for both. No field of a request is required, and the type of a document is
 * free text, because the platform publishes no list. The link to the file is not part of the record: it is created
 * for the response, and `''` where the platform shows none.
 * Source: "documents (person)" of the platform's v1 reference; decisions `document-links`, `document-lists` and
 * `list-paging` in docs/fidelity.md.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { Document as DocumentRecord } from '../../model/records.ts';
import type { Bank } from '../../verbs/bank.ts';
import type { DocumentChange, NewDocument } from '../../verbs/inputs.ts';
import { as, fields, plain } from '../codec.ts';
import { formatV1 } from '../ids.ts';
import { type ExampleWorld, operation } from '../operation.ts';
import {
  body,
  DATE_OR_EMPTY,
  dateCodec,
  enumOf,
  IdText,
  parseCountry,
  parseId,
  record,
  Text,
  Timestamp,
  URI_OR_EMPTY,
} from './fields.ts';
import { formatList, listOf, parseWindow, plainListQuery } from './paging.ts';

const upTo = (maxLength: number) => plain(Type.String({ maxLength }), Text);
const CONTENT = fields({
  name: as('name', upTo(500)),
  description: as('description', upTo(500)),
  docType: as('docType', upTo(100)),
  documentNumber: as('documentNumber', upTo(100)),
  expirationDate: as('expirationDate', {
    ...dateCodec,
    input: Type.String({ description: 'YYYY-MM-DD', ...DATE_OR_EMPTY }),
  }),
  issuingCountry: as('issuingCountry', {
    ...upTo(60),
    parse: (country: string, name: string) => parseCountry(name, country),
  }),
  issuingState: as('issuingState', upTo(60)),
});

const DOCUMENT_FIELDS = {
  ...CONTENT.outputs,
  status: enumOf(['active']),
  url: Type.String({
    description: 'A link to upload and download the file, valid for 900 seconds; "" where it is not shown.',
    ...URI_OR_EMPTY,
  }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
};

export const Document = record('Document', 'A document of a person.', {
  id: IdText,
  personId: IdText,
  ...DOCUMENT_FIELDS,
});
const BusinessDocument = record('BusinessDocument', 'A document of a business.', {
  id: IdText,
  businessId: IdText,
  ...DOCUMENT_FIELDS,
});
const DocumentList = listOf('DocumentList', Document);
const BusinessDocumentList = listOf('BusinessDocumentList', BusinessDocument);

const NewDocumentBody = body(
  'NewDocument',
  'The fields of a new document; upload its file to the link in the response.',
  CONTENT.inputs,
);
const DocumentChangeBody = body(
  'DocumentChange',
  'The fields of a document that can be updated; fields that are not sent keep their values.',
  CONTENT.changes,
);

/** Refuses: `field_invalid`. */
function parseNewDocument(holderId: Id, body: Static<typeof NewDocumentBody>): NewDocument {
  return { holderId, ...parseDocumentChange(body) };
}

/** Refuses: `field_invalid`. */
function parseDocumentChange(body: Static<typeof DocumentChangeBody>): DocumentChange {
  return CONTENT.parse(body);
}

/** Formats a document of a person with a link to its file. */
export function formatDocument(document: DocumentRecord, url: string): Static<typeof Document> {
  const { id, ...rest } = formatDocumentFields(document, url);
  return { id, personId: formatV1('person', document.holderId), ...rest };
}

/** Formats a document of a business with a link to its file. */
function formatBusinessDocument(document: DocumentRecord, url: string): Static<typeof BusinessDocument> {
  const { id, ...rest } = formatDocumentFields(document, url);
  return { id, businessId: formatV1('business', document.holderId), ...rest };
}

function formatDocumentFields(
  document: DocumentRecord,
  url: string,
): Omit<Static<typeof Document>, 'personId'> {
  return {
    id: formatV1('document', document.id),
    ...CONTENT.format(document),
    status: document.status,
    url,
    createdAt: formatInstant(document.createdAt),
    modifiedAt: formatInstant(document.updatedAt),
  };
}

/** A kind of owner: its name in the ids of operations, its shapes, and its formatter. */
interface DocumentOwner<
  N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
> {
  readonly type: 'person' | 'business';
  readonly name: N;
  /** The path parameter with the owner. */
  readonly param: 'personId' | 'businessId';
  /** The owner of the examples. */
  readonly seed: string;
  /** The owner's document. */
  readonly documentSeed: string;
  readonly params: P;
  readonly documentParams: D;
  readonly response: R;
  readonly listResponse: L;
  format(document: DocumentRecord, url: string): Static<R>;
}

type AnyOwner = Pick<DocumentOwner<string, TSchema, TSchema, TSchema, TSchema>, 'type' | 'param' | 'seed'>;

/** Preserves the types of an owner's shapes. */
function documentOwner<
  const N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
>(row: DocumentOwner<N, P, D, R, L>): DocumentOwner<N, P, D, R, L> {
  return row;
}

const PERSON = documentOwner({
  type: 'person',
  name: 'Person',
  param: 'personId',
  seed: 'person_id',
  documentSeed: 'person_document_id',
  params: Type.Object({ personId: Type.String() }),
  documentParams: Type.Object({ personId: Type.String(), documentId: Type.String() }),
  response: Document,
  listResponse: DocumentList,
  format: formatDocument,
});

const BUSINESS = documentOwner({
  type: 'business',
  name: 'Business',
  param: 'businessId',
  seed: 'business_id',
  documentSeed: 'business_document_id',
  params: Type.Object({ businessId: Type.String() }),
  documentParams: Type.Object({ businessId: Type.String(), documentId: Type.String() }),
  response: BusinessDocument,
  listResponse: BusinessDocumentList,
  format: formatBusinessDocument,
});

/** The path of an owner's documents. */
function documentsPath({ type, param }: AnyOwner): string {
  return `/v1/${type}/:${param}/document`;
}

/** The path parameters of an example: the owner, and further ones. */
function exampleParams<T>({ param, seed }: AnyOwner, world: ExampleWorld, others = {}): T {
  return { [param]: world.seed(seed), ...others } as T;
}

/** The owner in a path. Refuses: `holder_not_found`, also for a holder of the other type. */
function findOwner(bank: Bank, { type, param }: AnyOwner, params: unknown): Id {
  const id = parseId(type, textAt(params, param), param);
  // Persons and businesses have the same id format.
  bank.documents.requireOwner(type, id, param);
  return id;
}

/** The document in a path. Refuses: `holder_not_found`, `document_not_found`. */
function findDocument(bank: Bank, from: AnyOwner, params: unknown): DocumentRecord {
  const ownerId = findOwner(bank, from, params);
  const document = bank.documents.byId(parseId('document', textAt(params, 'documentId')));
  if (document.holderId !== ownerId) throw refuse('document_not_found');
  return document;
}

function textAt(params: unknown, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? '';
}

function createOperation<
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
    description:
      'Creates a document, such as an identity document. The response has a link; send the file itself to it with PUT within 15 minutes.',
    answer: 'The document, with the link for its file.',
    decisions: ['document-links', 'document-lists'],
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
      const document = bank.documents.create(parseNewDocument(findOwner(bank, owner, params), body));
      return owner.format(document, fileLink('document', document.id));
    },
  });
}

function listOperation<
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
    description:
      'Lists the documents of the person or business, newest first, without links to their files: retrieve a document to get a link.',
    answer: 'A page of documents, newest first.',
    decisions: ['list-paging', 'document-links', 'document-lists'],
    status: 200,
    params: owner.params,
    query: plainListQuery({}),
    response: owner.listResponse,
    example: {
      params: (world) => exampleParams<Static<P>>(owner, world),
      query: { offset: '0', limit: '10' },
    },
    run({ bank }, { params, query }) {
      const page = bank.documents.list(findOwner(bank, owner, params), parseWindow(query));
      return formatList(page, (document) => owner.format(document, '')) as Static<L>;
    },
  });
}

function retrieveOperation<
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
    description: 'Retrieves a document with a new link to its file, which is valid for 15 minutes.',
    answer: 'The document with a new link to its file.',
    decisions: ['document-links', 'document-lists'],
    status: 200,
    params: owner.documentParams,
    response: owner.response,
    example: {
      params: (world) =>
        exampleParams<Static<D>>(owner, world, { documentId: world.seed(owner.documentSeed) }),
    },
    run({ bank, fileLink }, { params }) {
      const document = findDocument(bank, owner, params);
      return owner.format(document, fileLink('document', document.id));
    },
  });
}

function updateOperation<
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
    description:
      'Updates the name, the description or the metadata of a document; fields that are not sent keep their values. To replace the file, upload another one to its link.',
    answer: 'The document after the change.',
    decisions: ['document-links', 'document-lists'],
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
      const change = parseDocumentChange(body);
      return owner.format(bank.documents.change(findDocument(bank, owner, params).id, change), '');
    },
  });
}

export const DOCUMENT_OPERATIONS = [
  createOperation(PERSON),
  listOperation(PERSON),
  retrieveOperation(PERSON),
  updateOperation(PERSON),
  createOperation(BUSINESS),
  listOperation(BUSINESS),
  retrieveOperation(BUSINESS),
  updateOperation(BUSINESS),
] as const;
