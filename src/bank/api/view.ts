/**
 * A view is a format in which a version shows the record of a fact. If a response consists of a view, an idempotency
 * key stores only the number of the fact and the name of the view. A repeated request gets the same view of the
 * record in that fact.
 * Source: docs/decisions/0040-answers-from-facts.md.
 */

import type { Id } from '../kernel/sequence.ts';
import type { FactRecords, Resource } from '../model/facts.ts';
import type { Attachment, Program } from '../model/records.ts';
import type { VIEWS, ViewName } from '../model/views.ts';
import type { Bank } from '../verbs/bank.ts';
import type { CheckPage } from '../verbs/holders/verification.ts';

/**
 * The data besides a record that formatting needs: its owner, with the pages of its checks if there are any, and the
 * attachments of records. An event shows no attachments (decision `attachments-shown` in docs/fidelity.md).
 */
export interface Viewer {
  readonly program: Program & { readonly checkPage?: CheckPage | undefined };
  readonly attachments?: { of(id: Id): readonly Attachment[] };
}

type Version = keyof typeof VIEWS;
type ResourceOf<V extends Version, N extends keyof (typeof VIEWS)[V]> = (typeof VIEWS)[V][N] & Resource;

export interface View<R extends Resource = Resource, Shown extends object = object> {
  readonly name: ViewName;
  readonly format: (record: FactRecords[R], viewer: Viewer) => Shown;
}

// biome-ignore lint/suspicious/noExplicitAny: the records of different views have nothing in common
export type AnyView = View<any>;

/** The views of a version by their names. */
export type Views<V extends Version> = { readonly [N in keyof (typeof VIEWS)[V]]: View<ResourceOf<V, N>> };

/** Makes a view of v1, with a name from `src/bank/model/views.ts`. */
export function viewV1<N extends keyof (typeof VIEWS)['v1'], S extends object>(
  name: N,
  format: (record: FactRecords[ResourceOf<'v1', N>], program: Program) => S,
): View<ResourceOf<'v1', N>, S> {
  return { name, format: (record, { program }) => format(record, program) };
}

/** Makes a view of v2, with a name from `src/bank/model/views.ts`. */
export function viewV2<N extends keyof (typeof VIEWS)['v2'], S extends object>(
  name: N,
  format: (record: FactRecords[ResourceOf<'v2', N>], viewer: Viewer) => S,
): View<ResourceOf<'v2', N>, S> {
  return { name, format };
}

/** A response that consists of a view. */
export interface Shown<S extends object = object> {
  readonly view: AnyView;
  /** `null` if the view contains data that is not in the record. */
  readonly record: object | null;
  readonly answer: S;
}

/** Records for each view whether the viewer added data that is not in the record. */
interface NotingViewer extends Viewer {
  hasAdded: boolean;
}

const viewers = new WeakMap<Bank, NotingViewer>();

function viewerOf(bank: Bank): NotingViewer {
  const known = viewers.get(bank);
  if (known !== undefined) return known;
  const { program, attachments } = bank;
  const { checkPage } = program;
  const viewer: NotingViewer = {
    hasAdded: false,
    program: {
      ...program,
      // A link contains the address that the client has called.
      checkPage:
        checkPage &&
        ((check) => {
          viewer.hasAdded = true;
          return checkPage(check);
        }),
    },
    attachments: {
      of(id) {
        const found = attachments.of(id);
        viewer.hasAdded ||= found.length > 0;
        return found;
      },
    },
  };
  viewers.set(bank, viewer);
  return viewer;
}

/** Formats a record with the current state of the bank. */
export function show<R extends Resource, S extends object>(
  bank: Bank,
  view: View<R, S>,
  record: FactRecords[R],
): Shown<S> {
  const viewer = viewerOf(bank);
  viewer.hasAdded = false;
  const answer = view.format(record, viewer);
  return { view, record: viewer.hasAdded ? null : record, answer };
}
