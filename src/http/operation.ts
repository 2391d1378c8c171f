/**
 * One operation of the interface, as data: path, shapes, success code and what it asks of the bank. A route file
 * exports one of these; the plugin of its dialect adds what all have in common (keys, idempotency, one commit, errors),
 * and the OpenAPI documents are printed from the same rows.
 */
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import type { Bank } from '../bank/bank.ts';
import type { RtaAnswer } from '../bank/inputs.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** What an operation is given besides the request's own parts. */
export interface Context {
  readonly bank: Bank;
  /** A link of 900 seconds to the file of a document, for upload (PUT) and download (GET). */
  fileLink(id: Id): string;
  /** v1: the person on whose behalf the call is made. */
  readonly personId: Id | '';
  /** What `prepare` brought. */
  readonly prepared?: RtaAnswer | undefined;
}

/** A row of the interface. A method other than GET runs as one command: everything in it happens, or nothing. */
export interface Operation<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  /** The operation's name in OpenAPI, and in faults and journals. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As Fastify writes it: `/v2/issuing/card/:card_id`. */
  readonly path: string;
  readonly summary: string;
  /** The status of success. */
  readonly status: 200 | 201 | 204;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly response?: R;
  /** Asks a client outside before the command, where real-time authorization is set up. It changes nothing. */
  prepare?(
    sandbox: Sandbox,
    request: { params: Static<P>; query: Static<Q>; body: Static<B> },
  ): Promise<RtaAnswer | undefined>;
  run(context: Context, request: { params: Static<P>; query: Static<Q>; body: Static<B> }): Static<R>;
}

/** An operation whose shapes are forgotten, as a list of them needs. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of different operations have nothing in common
export type AnyOperation = Operation<any, any, any, any>;

/** Keeps the shapes of one operation, so that its `run` is checked against them; a part without a shape is undefined. */
export function operation<
  P extends TSchema = TUndefined,
  Q extends TSchema = TUndefined,
  B extends TSchema = TUndefined,
  R extends TSchema = TVoid,
>(definition: Operation<P, Q, B, R>): Operation<P, Q, B, R> {
  return definition;
}
