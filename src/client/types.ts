/**
 * The types of the client, made from the operations themselves: a method per operation, under the operation's name, that
 * takes the parts that its shapes name and gives what its answer's shape says. Nothing here exists at run time.
 */
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import type { ControlOperations } from '../http/control/operations.ts';
import type { V1Operations } from '../http/v1/operations.ts';
import type { V2Operations } from '../http/v2/operations.ts';

/** What the types read of an operation. */
interface Shapes {
  readonly id: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly response?: TSchema;
}

/** `v2_create_webhook` -> `createWebhook`. */
type NameOf<Id extends string> = Id extends `v2_${infer Rest}` | `sandbox_${infer Rest}` ? Camel<Rest> : Id;
type Camel<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

type ShapeOf<O extends Shapes, Part extends keyof Shapes> = NonNullable<O[Part]>;

/** A part of a request: absent where there is none, optional where nothing in it is needed. */
type PartOf<Name extends string, Shape> = [Shape] extends [TUndefined]
  ? unknown
  : Shape extends TSchema
    ? Record<string, never> extends Static<Shape>
      ? { [Key in Name]?: Static<Shape> }
      : { [Key in Name]: Static<Shape> }
    : unknown;

/** What every call may add. */
export interface CallOptions {
  /** The first answer under a key is replayed for 24 hours. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type RequestOf<O extends Shapes> = PartOf<'params', ShapeOf<O, 'params'>> &
  PartOf<'query', ShapeOf<O, 'query'>> &
  PartOf<'body', ShapeOf<O, 'body'>> &
  CallOptions;

type AnswerOf<Shape> = [Shape] extends [TVoid]
  ? undefined
  : Shape extends TSchema
    ? Static<Shape>
    : undefined;

/** A call of one operation; the request may be left out when nothing in it is needed. */
type CallOf<O extends Shapes> =
  CallOptions extends RequestOf<O>
    ? (request?: RequestOf<O>) => Promise<AnswerOf<ShapeOf<O, 'response'>>>
    : (request: RequestOf<O>) => Promise<AnswerOf<ShapeOf<O, 'response'>>>;

/** The methods of one interface. */
type MethodsOf<Operations extends readonly Shapes[]> = {
  readonly [O in Operations[number] as NameOf<O['id']>]: CallOf<O>;
};

/** A method for each operation of v2: `createSubAccountHolder`, `originateAchPull`, ... */
export type V2Methods = MethodsOf<V2Operations>;
/** A method for each operation of v1: `createPerson`, `receiveAch`, ... */
export type V1Methods = MethodsOf<V1Operations>;
/** A method for each operation of the control plane: `advanceClock`, `takeSnapshot`, ... */
export type ControlMethods = MethodsOf<ControlOperations>;
