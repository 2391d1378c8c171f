/**
 * An operation of the API, as data: path, shapes, status of success and the call of the bank. Every resource has a
 * table of these. The plugin of each version adds what all have in common (keys, idempotency, one commit, errors), and
 * the OpenAPI documents are printed from the same rows.
 */
import type { Readable } from 'node:stream';
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import type { Bank } from '../bank/bank.ts';
import type { CardAuthorization, DisclosureFile, Incoming, RtaAnswer, UploadedFile } from '../bank/inputs.ts';
import type { RefusalCode } from '../kernel/refusals.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { FactRecords, Resource } from '../model/facts.ts';
import type { IncomingRail } from '../model/rails/index.ts';
import type { Token } from '../model/records.ts';
import type { View } from './view.ts';

/** The records that have a file behind a signed link. */
export type FileKind = 'document' | 'attachment';

/** The parts of a form that an operation takes, each with the media types that its file may have. */
export type FileParts = Readonly<Record<string, readonly string[]>>;

/** Requests the client's real-time authorization of a debit; `undefined` where the client has set none up. */
export interface RealTimeAuthorizer {
  /** Refuses: `card_not_found`. */
  card(input: CardAuthorization): Promise<RtaAnswer | undefined>;
  /** Refuses: `account_not_found`. */
  debit(rail: IncomingRail, input: Incoming): Promise<RtaAnswer | undefined>;
}

/** What an operation receives besides the parts of the request. */
export interface Context {
  readonly bank: Bank;
  /** The present, on the sandbox's clock. */
  readonly now: Instant;
  /**
   * A link to the file of a record, for upload (PUT) and download (GET): 900 seconds for a document, 300 for an
   * attachment.
   */
  fileLink(kind: FileKind, id: Id): string;
  /** v1: the link at which a disclosure is signed, for as long as it is open. */
  disclosureLink(file: DisclosureFile): string;
  /** v1: the person on whose behalf the call is made. */
  readonly personId: Id | '';
  /** A header of the request; `''` when it was not sent. */
  header(name: string): string;
  /** The token as the client gets it. */
  publicToken(token: Token): Token;
  /** The token that was sent in the operation's own header; `''` for none. */
  readonly token: string;
  /**
   * The record in a view of the version. An answer that is nothing else is not stored as text under an idempotency key, if the
   * operation has published a fact with this very record.
   */
  show<R extends Resource, S extends object>(view: View<R, S>, record: FactRecords[R]): S;
  /** The file of a part that the operation takes. */
  file(part: string): UploadedFile;
  /** Adds a remark to the header `x-sandbox-hint` of the answer: what it does not show, and what to do about it. */
  hint(remark: string): void;
  /** The result of `prepare`. */
  readonly prepared?: RtaAnswer | undefined;
}

/** What an example may name: the seed data of a sandbox. */
export interface ExampleWorld {
  /** The id of a seeded record, by its name in `GET /_sandbox`. */
  seed(name: string): string;
}

/** A part of an example: its value, or where ids are in it, what makes the value. */
export type Part<T> = T | ((world: ExampleWorld) => T);

/** A call that succeeds in a fresh sandbox, with every field of the body. */
interface Example<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params?: Part<Static<P>>;
  readonly query?: Part<Static<Q>>;
  readonly body?: Part<Static<B>>;
  readonly headers?: Part<Record<string, string>>;
  /** The files of an operation that takes some, by the names of their parts. */
  readonly files?: ExampleFiles;
}

/** Files as an example holds them: what is in one is written in base64. */
export type ExampleFiles = Readonly<Record<string, { contentType: string; base64: string }>>;

/** An example with its ids filled in. */
export interface ExampleCall {
  params: Record<string, string>;
  query: Record<string, string>;
  /** Absent where the operation takes none. */
  body: Record<string, unknown> | undefined;
  headers: Record<string, string>;
  files: ExampleFiles | undefined;
}

/** A file that an operation makes: a statement, a table of transactions. */
export interface RenderedFile {
  readonly contentType: string;
  /** `''` for an answer that is shown and not saved: JSON that is too long to be made in one piece. */
  readonly name: string;
  /** What is made while it is sent ends early when the bank is exchanged. */
  readonly content: Buffer | Readable;
}

/** A row of the interface. A method other than GET runs as one command: everything in it happens, or nothing. */
export interface Operation<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  /** The operation's name in OpenAPI, and in faults and journals. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As Fastify writes it: `/v2/issuing/card/:card_id`. */
  readonly path: string;
  /** In the imperative: "Create a card". */
  readonly summary: string;
  /**
   * What it does, which states follow, which limits apply and what makes it fail. The OpenAPI documents add the events and
   * the codes of its refusals.
   */
  readonly description: string;
  /** What its success answers. */
  readonly answer: string;
  /** The decisions on which it rests, by their slugs in data/decisions.json. */
  readonly decisions?: readonly string[];
  /** The status of success. */
  readonly status: 200 | 201 | 204;
  /** A token in this header opens the operation, with a key or without one, and from a page of any origin. */
  readonly tokenHeader?: string;
  /** Its answer has the caller's own key and is not kept under an idempotency key; it changes nothing. */
  readonly keepsNoAnswer?: true;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The parts of the form that it takes instead of a JSON body. */
  readonly files?: FileParts;
  readonly response?: R;
  /** The types of the files that `render` answers in place of the record. */
  readonly fileTypes?: readonly string[];
  /** In v2: its shapes are those of v1, and the OpenAPI document names them so. */
  readonly recordsOf?: 'v1';
  /** What it refuses beyond what every operation of its sort does: key, body, fields, and in v1 the person. */
  readonly refuses?: readonly RefusalCode[];
  /** Printed in the OpenAPI documents, and carried out by the tests. */
  readonly example: NoInfer<Example<P, Q, B>>;
  /** Requests real-time authorization from the client before the command, where it is set up. It changes nothing. */
  prepare?(
    authorizer: RealTimeAuthorizer,
    bank: Bank,
    request: { params: Static<P>; query: Static<Q>; body: Static<B> },
  ): Promise<RtaAnswer | undefined>;
  run(context: Context, request: { params: Static<P>; query: Static<Q>; body: Static<B> }): Static<R>;
  /** Of a GET: the file that is requested instead of the record; `undefined` when the record is. */
  render?(
    context: Context,
    request: { params: Static<P>; query: Static<Q> },
  ): RenderedFile | Promise<RenderedFile> | undefined;
}

/** An operation without the types of its shapes, as a list of them needs. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of different operations have nothing in common
export type AnyOperation = Operation<any, any, any, any>;

/** The refusals of an origination: accounts, holders and counterparties that cannot take part. */
export const ORIGINATION = [
  'account_not_active',
  'account_debit_blocked',
  'account_credit_blocked',
  'holder_not_active',
  'counterparty_not_active',
  'counterparty_rail_missing',
  'counterparty_elsewhere',
  'counterparty_ofac_failed',
] as const satisfies readonly RefusalCode[];

/**
 * Keeps the shapes of one operation, so that its `run` is checked against them; a part without a shape is undefined.
 */
export function operation<
  const Id extends string,
  P extends TSchema = TUndefined,
  Q extends TSchema = TUndefined,
  B extends TSchema = TUndefined,
  R extends TSchema = TVoid,
  const F extends FileParts = never,
>(
  definition: Operation<P, Q, B, R> & { readonly id: Id; readonly files?: F },
): Operation<P, Q, B, R> & { readonly id: Id; readonly files?: F } {
  return definition;
}

/** What an operation's example sends, in a world where its ids are known. */
export function formatExample({ example }: Pick<AnyOperation, 'example'>, world: ExampleWorld): ExampleCall {
  const write = (part: unknown): unknown => (typeof part === 'function' ? part(world) : part);
  return {
    params: (write(example.params) ?? {}) as Record<string, string>,
    query: (write(example.query) ?? {}) as Record<string, string>,
    body: write(example.body) as Record<string, unknown> | undefined,
    headers: (write(example.headers) ?? {}) as Record<string, string>,
    files: example.files,
  };
}
