/**
 * An operation of the API as data: path, shapes, status of success and the call of the bank. Every resource has a table
 * of operations. The server adds the common parts (keys, idempotency, one commit, errors), and the OpenAPI documents
 * are generated from the same rows.
 */
import type { Readable } from 'node:stream';
import {
  type Static,
  type TObject,
  type TSchema,
  type TString,
  type TUndefined,
  type TVoid,
  Type,
} from '@sinclair/typebox';
import type { RefusalCode } from '../kernel/refusals.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { FactRecords, Resource } from '../model/facts.ts';
import type { IncomingRail } from '../model/rails/index.ts';
import type { Token } from '../model/records.ts';
import type { Bank } from '../verbs/bank.ts';
import type {
  CardAuthorization,
  DisclosureFile,
  Incoming,
  RtaAnswer,
  UploadedFile,
} from '../verbs/inputs.ts';
import type { View } from './view.ts';

/** The records that have a file behind a signed link. */
export type FileKind = 'document' | 'attachment';

/** The parts of a form that an operation accepts, each with the allowed media types of its file. */
export type FileParts = Readonly<Record<string, readonly string[]>>;

/**
 * Requests the client's real-time authorization of a debit; returns `undefined` if the client has not configured it.
 */
export interface RealTimeAuthorizer {
  /** Refuses: `card_not_found`. */
  card(input: CardAuthorization): Promise<RtaAnswer | undefined>;
  /** Refuses: `account_not_found`. */
  debit(rail: IncomingRail, input: Incoming): Promise<RtaAnswer | undefined>;
}

/** The input of an operation besides the parts of the request. */
export interface Context {
  readonly bank: Bank;
  /** The current time on the sandbox's clock. */
  readonly now: Instant;
  /**
   * A link to the file of a record, for upload (PUT) and download (GET): 900 seconds for a document, 300 for an
   * attachment.
   */
  fileLink(kind: FileKind, id: Id): string;
  /** v1: the link that signs a disclosure, while the disclosure is open. */
  disclosureLink(file: DisclosureFile): string;
  /** v1: the person on whose behalf the call is made. */
  readonly personId: Id | '';
  /** A header of the request; `''` when it was not sent. */
  header(name: string): string;
  /** The token in the form that the client gets. */
  publicToken(token: Token): Token;
  /** The token that was sent in the operation's own header; `''` for none. */
  readonly token: string;
  /**
   * Formats the record in a view of the version. If the response is only this view, and the operation has published a
   * fact with this record, an idempotency key stores the number of the fact instead of the text.
   */
  show<R extends Resource, S extends object>(view: View<R, S>, record: FactRecords[R]): S;
  /** The file of a part that the operation takes. */
  file(part: string): UploadedFile;
  /** Adds a hint to the header `x-sandbox-hint` of the response: what the response does not show, and what to do. */
  hint(remark: string): void;
  /** The result of `prepare`. */
  readonly prepared?: RtaAnswer | undefined;
}

/** The records that an example can name: the seed data of a sandbox. */
export interface ExampleWorld {
  /** The id of a seeded record, by its name in `GET /_sandbox`. */
  seed(name: string): string;
}

/** A part of an example: its value, or a function that creates the value if it contains ids. */
export type Part<T> = T | ((world: ExampleWorld) => T);

/** A call that succeeds in a new sandbox, with every field of the body. */
interface Example<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params?: Part<Static<P>>;
  readonly query?: Part<Static<Q>>;
  readonly body?: Part<Static<B>>;
  readonly headers?: Part<Record<string, string>>;
  /** The files of a form, by the names of their parts. */
  readonly files?: ExampleFiles;
}

/** The files of an example, with their contents in base64. */
export type ExampleFiles = Readonly<Record<string, { contentType: string; base64: string }>>;

/** An example with its ids filled in. */
export interface ExampleCall {
  params: Record<string, string>;
  query: Record<string, string>;
  /** Absent if the operation accepts none. */
  body: Record<string, unknown> | undefined;
  headers: Record<string, string>;
  files: ExampleFiles | undefined;
}

/** A file that an operation makes: a statement, a table of transactions. */
export interface RenderedFile {
  readonly contentType: string;
  /** `''` for a response that is not a download: JSON that is too long to be formatted at once. */
  readonly name: string;
  /** A streamed response ends early if the bank is replaced. */
  readonly content: Buffer | Readable;
}

/** One operation. A method other than GET runs as one command, completely or not at all. */
export interface Operation<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  /** The operation's name in OpenAPI, and in faults and journals. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** In Fastify's format: `/v2/issuing/card/:card_id`. */
  readonly path: string;
  /** In the imperative: "Create a card". */
  readonly summary: string;
  /**
   * Its effect, the states that follow, its limits and its errors. The OpenAPI documents add the events and the codes
   * of its refusals.
   */
  readonly description: string;
  /** The description of the successful response. */
  readonly answer: string;
  /** Its decisions, by their slugs in data/decisions.json. */
  readonly decisions?: readonly string[];
  /** The status of success. */
  readonly status: 200 | 201 | 204;
  /** A token in this header authorizes the operation, with or without a key, and from a page of any origin. */
  readonly tokenHeader?: string;
  /**
   * Its response contains the caller's key, so it is not stored under an idempotency key; the operation changes
   * nothing.
   */
  readonly keepsNoAnswer?: true;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The parts of the form that it accepts instead of a JSON body. */
  readonly files?: FileParts;
  readonly response?: R;
  /** The media types of the files that `render` returns instead of the record. */
  readonly fileTypes?: readonly string[];
  /** In v2: its shapes are those of v1, under names of v1 in the OpenAPI document. */
  readonly recordsOf?: 'v1';
  /** Its refusals besides the common ones: key, body, fields, and in v1 the person. */
  readonly refuses?: readonly RefusalCode[];
  /**
   * Shown in the OpenAPI documents, and executed by the tests. Without `params`, the ids of the path are those of the
   * seeded records of these names.
   */
  readonly example?: NoInfer<Example<P, Q, B>>;
  /** Requests real-time authorization from the client before the command, if it is configured. It changes nothing. */
  prepare?(
    authorizer: RealTimeAuthorizer,
    bank: Bank,
    request: { params: Static<P>; query: Static<Q>; body: Static<B> },
  ): Promise<RtaAnswer | undefined>;
  run(context: Context, request: { params: Static<P>; query: Static<Q>; body: Static<B> }): Static<R>;
  /** For a GET: returns the file that is requested instead of the record; `undefined` if the record is requested. */
  render?(
    context: Context,
    request: { params: Static<P>; query: Static<Q> },
  ): RenderedFile | Promise<RenderedFile> | undefined;
}

/** The names of the parameters in a path: `/v1/account/:accountId` has `accountId`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The shape of the parameters in a path: texts. */
export type PathParams<Path extends string> = TObject<{ [Name in NamesIn<Path>]: TString }>;

/** The shape of a path's parameters, unless the operation has its own; `undefined` for a path without any. */
export function paramsOf<Path extends string>(path: Path): PathParams<Path> | undefined {
  const names = namesIn(path);
  if (names.length === 0) return undefined;
  return Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))) as PathParams<Path>;
}

function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

/** The seeded records that a path names: `:accountId` is the record `account_id`. */
function seededParams(path: string, { seed }: ExampleWorld): Record<string, string> {
  const seedName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(namesIn(path).map((name) => [name, seed(seedName(name))]));
}

/** An operation without the types of its shapes, for lists of operations. */
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

/** The refusals of an account that cannot make a payment: v2 records them as declined instead with a setting. */
export const SHORTFALL = [
  'insufficient_funds',
  'daily_limit_exceeded',
  'monthly_limit_exceeded',
  'switched_off',
] as const satisfies readonly RefusalCode[];

/**
 * Keeps the shapes of one operation, so that its `run` is checked against them; a part without a shape is undefined.
 * The parameters of the path have the shape of `PathParams`, unless the operation has its own.
 */
export function operation<
  const Id extends string,
  const Path extends string,
  P extends TSchema = PathParams<Path>,
  Q extends TSchema = TUndefined,
  B extends TSchema = TUndefined,
  R extends TSchema = TVoid,
  const F extends FileParts = never,
>(
  definition: Operation<P, Q, B, R> & { readonly id: Id; readonly path: Path; readonly files?: F },
): Operation<P, Q, B, R> & { readonly id: Id; readonly path: Path; readonly files?: F } {
  const { path, params = paramsOf(path) as P | undefined, example } = definition;
  if (params === undefined) return definition;
  const seeded: Part<Static<P>> = (world) => seededParams(path, world) as Static<P>;
  return { ...definition, params, example: { params: seeded, ...example } };
}

/** The request of an operation's example, with its ids filled in. */
export function formatExample(
  { example = {} }: Pick<AnyOperation, 'example'>,
  world: ExampleWorld,
): ExampleCall {
  const write = (part: unknown): unknown => (typeof part === 'function' ? part(world) : part);
  return {
    params: (write(example.params) ?? {}) as Record<string, string>,
    query: (write(example.query) ?? {}) as Record<string, string>,
    body: write(example.body) as Record<string, unknown> | undefined,
    headers: (write(example.headers) ?? {}) as Record<string, string>,
    files: example.files,
  };
}
