/**
 * Reads the projections of a business: of what is sent only the volumes are kept, so that what comes back is what was
 * sent and nothing else.
 * Source: "submit business projections" of the platform's v1 reference; row 144 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { DIRECTIONS, type Projection, type ProjectionBody } from '../shapes/business-profile.ts';

type Ways = Readonly<Record<string, { count: string; amount: string }>>;

/** The volumes by direction; a direction that was not sent is `null`. */
export function readProjection({ transactions }: Static<typeof ProjectionBody>): Static<typeof Projection> {
  const { annual } = transactions;
  const [send, receive, incoming] = DIRECTIONS.map((direction) => readWays(annual[direction]));
  return {
    transactions: { annual: { send: send ?? null, receive: receive ?? null, incoming: incoming ?? null } },
  };
}

function readWays(ways: Ways | undefined): Record<string, { count: string; amount: string }> | null {
  if (ways === undefined) return null;
  return Object.fromEntries(Object.entries(ways).map(([way, { count, amount }]) => [way, { count, amount }]));
}
