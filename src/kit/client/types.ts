/**
 * The types of the client, computed from the operations: a method per operation, named after it, whose input and
 * result have the types of its shapes. Nothing in this file exists at run time. The package cannot contain the whole
 * server for its types, so for the package this file is printed from the same shapes
 * (docs/decisions/0009-the-package.md).
 */
import type { Readable } from 'node:stream';
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import type { V1Operations } from '../../bank/api/v1/index.ts';
import type { V2Operations } from '../../bank/api/v2/index.ts';
import type { ControlOperations } from '../../sandboxes/control/index.ts';
import type { CallOptions, ControlCallOptions } from './call.ts';

/** The properties of an operation that the types use. */
interface Shapes {
  readonly id: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyType?: string;
  readonly files?: object;
  readonly response?: TSchema;
}

/** `v2_create_webhook` -> `createWebhook`. */
type NameOf<Id extends string> = Id extends `v2_${infer Rest}` | `sandbox_${infer Rest}` ? Camel<Rest> : Id;
type Camel<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

type ShapeOf<O extends Shapes, Part extends keyof Shapes> = NonNullable<O[Part]>;

/** A part of a request: absent if there is none, optional if none of its fields is required. */
type PartOf<Name extends string, Shape> = [Shape] extends [TUndefined]
  ? unknown
  : Shape extends TSchema
    ? Record<string, never> extends Static<Shape>
      ? { [Key in Name]?: Static<Shape> }
      : { [Key in Name]: Static<Shape> }
    : unknown;

/** A body that is not JSON: bytes. */
type BytesOf<Type> = [Type] extends [never] ? unknown : Type extends string ? { body: Uint8Array } : unknown;

/** A file for each part of a form, with its media type: `new Blob([bytes], { type: 'image/png' })`. */
type FilesOf<Parts> = [NamesOf<Parts>] extends [never]
  ? unknown
  : { files: { [Name in NamesOf<Parts>]: Blob } };
type NamesOf<Parts> = [Parts] extends [never]
  ? never
  : keyof { [Name in keyof Parts as string extends Name ? never : Name]: true };

type RequestOf<O extends Shapes, Options> = PartOf<'params', ShapeOf<O, 'params'>> &
  PartOf<'query', ShapeOf<O, 'query'>> &
  PartOf<'body', ShapeOf<O, 'body'>> &
  BytesOf<ShapeOf<O, 'bodyType'>> &
  FilesOf<ShapeOf<O, 'files'>> &
  Options;

/** A response that is not JSON is bytes, and an endless one a stream of bytes. */
type AnswerOf<Shape> = [Shape] extends [TVoid]
  ? undefined
  : Shape extends TSchema
    ? Static<Shape> extends Readable
      ? ReadableStream<Uint8Array>
      : Static<Shape> extends Uint8Array
        ? Uint8Array
        : Static<Shape>
    : undefined;

/** A call of one operation; the request is optional if none of its parts is required. */
type CallOf<O extends Shapes, Options> =
  Options extends RequestOf<O, Options>
    ? (request?: RequestOf<O, Options>) => Promise<AnswerOf<ShapeOf<O, 'response'>>>
    : (request: RequestOf<O, Options>) => Promise<AnswerOf<ShapeOf<O, 'response'>>>;

/** The values of `export` that request a file; none if the operation has no such field. */
type FileWords<O extends Shapes> =
  ShapeOf<O, 'query'> extends infer Query extends TSchema
    ? Static<Query> extends { export?: infer Words }
      ? Exclude<Words, 'json' | undefined>
      : never
    : never;

/** A call that can also return its result as a file, as bytes. */
type ExportOf<O extends Shapes, Options> = ((
  request: RequestOf<O, Options> & { query: { export: FileWords<O> } },
) => Promise<Uint8Array>) &
  CallOf<O, Options>;

/** The methods of one interface. */
type MethodsOf<Operations extends readonly Shapes[], Options> = {
  readonly [O in Operations[number] as NameOf<O['id']>]: [FileWords<O>] extends [never]
    ? CallOf<O, Options>
    : ExportOf<O, Options>;
};

/** A method for each operation of v2: `createSubAccountHolder`, `originateAchPull`, ... */
export type V2Methods = MethodsOf<V2Operations, CallOptions>;
/** A method for each operation of v1: `createPerson`, `receiveAch`, ... */
export type V1Methods = MethodsOf<V1Operations, CallOptions>;
/** A method for each operation of the control plane: `advanceClock`, `takeSnapshot`, ... */
export type ControlMethods = MethodsOf<ControlOperations, ControlCallOptions>;
