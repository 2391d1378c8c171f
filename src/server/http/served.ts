/**
 * The operations of each API version. They are loaded at the first request of the version, because creating their
 * shapes takes longer than the rest of a start.
 */
import type { AnyOperation } from '../../bank/api/operation.ts';
import type { AnyView } from '../../bank/api/view.ts';
import type { ViewName } from '../../bank/model/views.ts';
import type { Api } from './api-versions.ts';

/** An operation that the platform documents and this server does not imitate. */
interface Documented {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

export interface Served {
  readonly operations: readonly AnyOperation[];
  readonly notEmulated: readonly Documented[];
  /** By their names. */
  readonly views: Readonly<Partial<Record<ViewName, AnyView>>>;
}

const SERVED: Readonly<Record<Api['name'], () => Promise<Served>>> = {
  async v1() {
    const [{ V1_OPERATIONS }, { DOCUMENTED }, { VIEWS }] = await Promise.all([
      import('../../bank/api/v1/index.ts'),
      import('../../bank/api/v1/documented.ts'),
      import('../../bank/api/v1/views.ts'),
    ]);
    return { operations: V1_OPERATIONS, notEmulated: DOCUMENTED, views: VIEWS };
  },
  // Some paths of v2 serve operations of v1.
  async v2() {
    const [{ V2_OPERATIONS }, { VIEWS }] = await Promise.all([
      import('../../bank/api/v2/index.ts'),
      import('../../bank/api/v2/views.ts'),
    ]);
    return { operations: V2_OPERATIONS, notEmulated: [], views: VIEWS };
  },
};

/** Loads the operations of a version. */
export function servedBy({ name }: Api): Promise<Served> {
  return SERVED[name]();
}
