/**
 * Who decided that something goes as it goes, noted when it was decided and never guessed later. What goes its ordinary
 * way has no note.
 */
import type { decisions, rtaDecisions } from './tables.ts';

/** One decision about a transaction, a card, a holder or an account. */
export interface Decision extends Row<typeof decisions> {}

/** What a client answered in time, or what stood in for it. */
export interface RtaDecision extends Row<typeof rtaDecisions> {}

type Row<T extends { $inferSelect: unknown }> = T['$inferSelect'];
