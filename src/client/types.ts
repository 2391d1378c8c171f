/**
 * The types of the client, made from the operations themselves: a method per operation, under the operation's name, that
 * takes the parts that its shapes name and gives what its answer's shape says. Nothing here exists at run time. A package
 * cannot carry the whole server for its types, so there this file is printed from the same shapes
 * (docs/decisions/0009-the-package.md).
 */
import type { Readable } from 'node:stream';
import type { Static, TSchema, TUndefined, TVoid } from '@sinclair/typebox';
import type { V1Operations } from '../api/v1/index.ts';
import type { V2Operations } from '../api/v2/index.ts';
import type { ControlOperations } from '../control/index.ts';
import type { CallOptions, ControlCallOptions } from './call.ts';

/** What the types read of an operation. */
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

/** A part of a request: absent where there is none, optional where nothing in it is needed. */
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

/** An answer that is not JSON comes as its bytes, and one that does not end as a stream of them. */
type AnswerOf<Shape> = [Shape] extends [TVoid]
  ? undefined
  : Shape extends TSchema
    ? Static<Shape> extends Readable
      ? ReadableStream<Uint8Array>
      : Static<Shape> extends Uint8Array
        ? Uint8Array
        : Static<Shape>
    : undefined;

/** A call of one operation; the request may be left out when nothing in it is needed. */
type CallOf<O extends Shapes, Options> =
  Options extends RequestOf<O, Options>
    ? (request?: RequestOf<O, Options>) => Promise<AnswerOf<ShapeOf<O, 'response'>>>
    : (request: RequestOf<O, Options>) => Promise<AnswerOf<ShapeOf<O, 'response'>>>;

/** The words of `export` that ask for a file; none where the operation has no such field. */
type FileWords<O extends Shapes> =
  ShapeOf<O, 'query'> extends infer Query extends TSchema
    ? Static<Query> extends { export?: infer Words }
      ? Exclude<Words, 'json' | undefined>
      : never
    : never;

/** A call that also gives the same as a file, as its bytes. */
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
