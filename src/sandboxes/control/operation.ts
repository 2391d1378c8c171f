/**
 * One operation of the control plane as data: its shapes, its place in the OpenAPI document, and how it is executed. A
 * `command` is one command of the bank: it runs in one commit together with the formatting of its response, so a read
 * that fails changes nothing. Every other operation acts on a sandbox from outside and may be asynchronous.
 * Source: docs/decisions/0020-background-jobs.md.
 */
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import { type Part, type PathParams, paramsOf } from '../../bank/api/operation.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import type { RtaAnswer } from '../../bank/verbs/inputs.ts';
import type { Observers } from '../registry/observers.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The context of a control operation, besides the parts of the request. */
export interface ControlContext {
  /** The sandbox of the request's `api-key`; without a key the default sandbox. Refuses: `sandbox_not_found`. */
  readonly sandbox: Sandbox;
  readonly registry: Registry;
  readonly observers: Observers;
  readonly version: string;
  /** Aborts when the caller disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Returns the response to a GET of a path of this server, as an observer of the sandbox; `undefined` unless it is a
   * success with JSON.
   */
  read(path: string): Promise<unknown>;
}

type Answer<R extends TSchema> = Static<R> | Promise<Static<R>>;

/**
 * A call that succeeds; a path parameter that only an earlier call creates (the id of an event or a fault) is left
 * out.
 */
interface ControlExample<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly params?: Part<Partial<Static<P>>>;
  readonly query?: Part<Static<Q>>;
  readonly body?: Part<Static<B>>;
}

/** The parts of a request; by default of any shapes. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of different operations have nothing in common
export interface ControlRequest<P extends TSchema = any, Q extends TSchema = any, B extends TSchema = any> {
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
}

/** Acts on a sandbox from outside. No read after a commit may make it fail. */
interface ActsOutside<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  run(context: ControlContext, request: ControlRequest<P, Q, B>): Answer<R>;
  command?: undefined;
  prepare?: undefined;
}

/** One command of the bank; the checks, the change and the response are in one commit. */
interface IsCommand<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  command(
    context: ControlContext,
    request: ControlRequest<P, Q, B>,
    prepared: RtaAnswer | undefined,
  ): Static<R>;
  /** Requests real-time authorization from the client before the command. It changes nothing. */
  prepare?(context: ControlContext, request: ControlRequest<P, Q, B>): Promise<RtaAnswer | undefined>;
  run?: undefined;
}

/** A row of the control plane. */
export type ControlOperation<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
> = ControlRow<P, Q, B, R> & (ActsOutside<P, Q, B, R> | IsCommand<P, Q, B, R>);

interface ControlRow<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  /** The operation's name in OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In Fastify's format: `/_sandbox/snapshots/:name`. */
  readonly path: string;
  /** The group under which the documents list it. */
  readonly group: ControlGroup;
  /** In the imperative: "Take a snapshot". */
  readonly summary: string;
  /** Its action, its consequences, its limits and its errors. */
  readonly description: string;
  /** The description of the successful response. */
  readonly answer: string;
  /** Its decisions, by their slugs in data/decisions.json. */
  readonly decisions?: readonly string[];
  /** `none` if it does not act on the sandbox of the key. */
  readonly about?: 'none';
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The type of a body that is not JSON, which reaches `run` unchecked. */
  readonly bodyType?: string;
  readonly response?: R;
  /** Its refusals besides those of every operation of the control plane. */
  readonly refuses?: readonly RefusalCode[];
  /** The type of a response that is not JSON; `run` then returns a stream or a buffer. */
  readonly contentType?: string;
  /** The example of an operation with input, for the OpenAPI document. */
  readonly example?: NoInfer<ControlExample<P, Q, B>>;
}

type ControlGroup =
  | 'Summary'
  | 'Sandboxes'
  | 'State'
  | 'Clock'
  | 'Simulate'
  | 'Events'
  | 'Webhooks'
  | 'Faults'
  | 'Rules'
  | 'Real-time authorization'
  | 'Inspect';

/** An operation of any shapes, for lists of operations. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of different operations have nothing in common
export type AnyControlOperation = ControlOperation<any, any, any, any>;

/** Keeps the shapes of one operation, so that its `run` is checked against them; a part without a shape is undefined. */
export function controlOperation<
  const Id extends string,
  const Path extends string,
  P extends TSchema = PathParams<Path>,
  Q extends TSchema = TUndefined,
  B extends TSchema = TUndefined,
  R extends TSchema = TVoid,
  const BodyType extends string = never,
>(
  definition: ControlOperation<P, Q, B, R> & {
    readonly id: Id;
    readonly path: Path;
    readonly bodyType?: BodyType;
  },
): ControlOperation<P, Q, B, R> & { readonly id: Id; readonly path: Path; readonly bodyType?: BodyType } {
  const { path, params = paramsOf(path) as P | undefined } = definition;
  return params === undefined ? definition : { ...definition, params };
}
