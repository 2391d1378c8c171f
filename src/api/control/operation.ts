/**
 * One operation of the control plane as data: its shapes, its place in the OpenAPI document, and its handler. It acts
 * on a sandbox from outside, so it may be asynchronous; a command to the bank goes through the sandbox's commit like
 * any client's.
 */
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import type { RefusalCode } from '../../kernel/refusals.ts';
import type { Observers } from '../../sandboxes/observers.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Part } from '../operation.ts';

/** What a control operation is given besides the request's own parts. */
interface ControlContext {
  /** The sandbox that the request's `api-key` names; the default one without. Refuses: `sandbox_not_found`, `slot_elsewhere`. */
  readonly sandbox: Sandbox;
  readonly registry: Registry;
  readonly observers: Observers;
  readonly version: string;
  /** Aborts when the caller disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

type Answer<R extends TSchema> = Static<R> | Promise<Static<R>>;

/** A call that succeeds; a part of the path that only an earlier call makes (the id of an event, of a fault) is left out. */
interface ControlExample<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params?: Part<Partial<Static<P>>>;
  readonly query?: Part<Static<Q>>;
  readonly body?: Part<Static<B>>;
}

/** A row of the control plane. */
export interface ControlOperation<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
> {
  /** The operation's name in OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As Fastify writes it: `/_sandbox/snapshots/:name`. */
  readonly path: string;
  /** The group under which the documents list it. */
  readonly group: ControlGroup;
  readonly summary: string;
  /** Which sandbox it is about, where it is not the key's: the one that is the `name` in its path, or `none` of them. */
  readonly about?: 'name' | 'none';
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The type of a body that is not JSON, which reaches `run` unchecked. */
  readonly bodyType?: string;
  readonly response?: R;
  /** What it refuses beyond what every operation of the control plane does. */
  readonly refuses?: readonly RefusalCode[];
  /** The type of an answer that is not JSON; `run` then answers a stream or a buffer. */
  readonly contentType?: string;
  /** Of an operation that takes something: printed in the OpenAPI document. */
  readonly example?: NoInfer<ControlExample<P, Q, B>>;
  run(context: ControlContext, request: { params: Static<P>; query: Static<Q>; body: Static<B> }): Answer<R>;
}

type ControlGroup =
  | 'Summary'
  | 'Sandboxes'
  | 'Fleet'
  | 'State'
  | 'Clock'
  | 'Simulate'
  | 'Events'
  | 'Webhooks'
  | 'Faults'
  | 'Rules'
  | 'Real-time authorization'
  | 'Look';

/** An operation of any shapes, for lists of operations. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of different operations have nothing in common
export type AnyControlOperation = ControlOperation<any, any, any, any>;

/** Keeps the shapes of one operation, so that its `run` is checked against them; a part without a shape is undefined. */
export function controlOperation<
  const Id extends string,
  P extends TSchema = TUndefined,
  Q extends TSchema = TUndefined,
  B extends TSchema = TUndefined,
  R extends TSchema = TVoid,
  const BodyType extends string = never,
>(
  definition: ControlOperation<P, Q, B, R> & { readonly id: Id; readonly bodyType?: BodyType },
): ControlOperation<P, Q, B, R> & { readonly id: Id; readonly bodyType?: BodyType } {
  return definition;
}
