/**
 * The data that the client needs of each operation at run time: its method, its path, and the types of its body and
 * response. In the bundle this file is replaced by its value, so that a client does not load the server.
 */

import { V1_OPERATIONS } from '../../bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../bank/api/v2/index.ts';
import { CONTROL_OPERATIONS } from '../../sandboxes/control/index.ts';

/** An operation for the client. */
export interface Route {
  readonly method: string;
  /** The path, with its parameters as `:name`. */
  readonly path: string;
  /** The type of a body that is not JSON. */
  readonly bodyType?: string;
}

export type Table = Readonly<Record<string, Route>>;

interface Listed extends Route {
  readonly id: string;
}

function tableOf(operations: readonly Listed[]): Table {
  return Object.fromEntries(
    operations.map(({ id, method, path, bodyType }) => [
      nameOf(id),
      { method, path, ...(bodyType !== undefined && { bodyType }) },
    ]),
  );
}

/** `v2_create_webhook` -> `createWebhook`. */
export function nameOf(id: string): string {
  return id.replace(/^(v2|sandbox)_/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export const TABLES: { readonly v2: Table; readonly v1: Table; readonly sandbox: Table } = {
  v2: tableOf(V2_OPERATIONS),
  v1: tableOf(V1_OPERATIONS),
  sandbox: tableOf(CONTROL_OPERATIONS),
};
