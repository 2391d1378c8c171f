/**
 * The operations of each API version. They are loaded at the first request of the version, because creating their
 * shapes takes longer than the rest of a start.
 */
import type { AnyOperation } from '../../bank/api/operation.ts';
import type { AnyView } from '../../bank/api/view.ts';
import type { ViewName } from '../../bank/model/views.ts';
import type { Api } from './api-versions.ts';

export interface Served {
  readonly operations: readonly AnyOperation[];
  /** By their names. */
  readonly views: Readonly<Partial<Record<ViewName, AnyView>>>;
}

const SERVED: Readonly<Record<Api['name'], () => Promise<Served>>> = {
  async v1() {
    const [{ V1_OPERATIONS }, { VIEWS }] = await Promise.all([
      import('../../bank/api/v1/index.ts'),
      import('../../bank/api/v1/views.ts'),
    ]);
    return { operations: V1_OPERATIONS, views: VIEWS };
  },
  // Some paths of v2 serve operations of v1.
  async v2() {
    const [{ V2_OPERATIONS }, { VIEWS }] = await Promise.all([
      import('../../bank/api/v2/index.ts'),
      import('../../bank/api/v2/views.ts'),
    ]);
    return { operations: V2_OPERATIONS, views: VIEWS };
  },
};

/** Loads the operations of a version. */
export function servedBy({ name }: Api): Promise<Served> {
  return SERVED[name]();
}
