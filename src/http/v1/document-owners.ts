/**
 * Whose documents there are: a person's and a business's. Each operation on documents is written once and made for both
 * owners, because nothing but the path and the name of one field differs.
 * Source: "documents (person)" of the platform's v1 reference; row 203 of docs/fidelity.md.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Bank } from '../../bank/bank.ts';
import { readId } from '../../dialects/v1/readers/ids.ts';
import {
  BusinessDocument,
  BusinessDocumentList,
  DocumentList,
  Document as DocumentShape,
} from '../../dialects/v1/shapes/document.ts';
import { viewBusinessDocument, viewDocument } from '../../dialects/v1/views/document.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Document } from '../../model/records.ts';
import type { ExampleWorld } from '../operation.ts';

/** One owner of documents: its name in the ids of operations, its shapes, its view. */
export interface DocumentOwner<
  N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
> {
  readonly type: 'person' | 'business';
  readonly name: N;
  /** The parameter of the path that names the owner. */
  readonly param: 'personId' | 'businessId';
  /** The owner of the examples. */
  readonly seed: string;
  /** The owner's document. */
  readonly documentSeed: string;
  readonly params: P;
  readonly documentParams: D;
  readonly response: R;
  readonly listResponse: L;
  view(document: Document, url: string): Static<R>;
}

type AnyOwner = Pick<DocumentOwner<string, TSchema, TSchema, TSchema, TSchema>, 'type' | 'param' | 'seed'>;

/** Keeps the shapes of an owner's records. */
function owner<
  const N extends string,
  P extends TSchema,
  D extends TSchema,
  R extends TSchema,
  L extends TSchema,
>(row: DocumentOwner<N, P, D, R, L>): DocumentOwner<N, P, D, R, L> {
  return row;
}

export const PERSON = owner({
  type: 'person',
  name: 'Person',
  param: 'personId',
  seed: 'person_id',
  documentSeed: 'person_document_id',
  params: Type.Object({ personId: Type.String() }),
  documentParams: Type.Object({ personId: Type.String(), documentId: Type.String() }),
  response: DocumentShape,
  listResponse: DocumentList,
  view: viewDocument,
});

export const BUSINESS = owner({
  type: 'business',
  name: 'Business',
  param: 'businessId',
  seed: 'business_id',
  documentSeed: 'business_document_id',
  params: Type.Object({ businessId: Type.String() }),
  documentParams: Type.Object({ businessId: Type.String(), documentId: Type.String() }),
  response: BusinessDocument,
  listResponse: BusinessDocumentList,
  view: viewBusinessDocument,
});

/** The path of an owner's documents. */
export function documentsPath({ type, param }: AnyOwner): string {
  return `/v1/${type}/:${param}/document`;
}

/** The path's parameters in an example; those that are not the owner are named beside. */
export function exampleParams<T>({ param, seed }: AnyOwner, world: ExampleWorld, others = {}): T {
  return { [param]: world.seed(seed), ...others } as T;
}

/** Reads whose documents a path is about. Refuses: `holder_not_found`, also for a holder of the other type. */
export function readOwner(bank: Bank, { type, param }: AnyOwner, params: unknown): Id {
  const id = readId(type, textAt(params, param), param);
  // A person and a business are holders of one kind of id.
  bank.documents.requireOwner(type, id, param);
  return id;
}

/** Reads which document a path is about. Refuses: `holder_not_found`, `document_not_found`. */
export function readDocument(bank: Bank, from: AnyOwner, params: unknown): Document {
  const ownerId = readOwner(bank, from, params);
  const document = bank.documents.byId(readId('document', textAt(params, 'documentId')));
  if (document.holderId !== ownerId) throw refuse('document_not_found');
  return document;
}

function textAt(params: unknown, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? '';
}
