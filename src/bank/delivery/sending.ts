/** The parts of a courier that its first attempts and its retries share. */
import type { Id } from '../kernel/sequence.ts';
import type { Clock } from '../kernel/time.ts';
import type { Queue } from '../outbox/queue.ts';
import type { Attempts } from './attempt.ts';
import type { Chaos } from './chaos.ts';
import type { Recorder } from './recorder.ts';
import type { Tasks } from './tasks.ts';
import type { WaitFacts } from './waiting.ts';

export interface Sending {
  readonly queue: Queue;
  /** The sandbox's clock. */
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly tasks: Tasks;
  /** Sends a delivery once. */
  readonly attempt: Attempts['make'];
  /** The chaos of a webhook's deliveries, if any. */
  chaosOf(webhookId: Id): Chaos | undefined;
  /** The reasons that keep the deliveries of all webhooks waiting. */
  stateOfAll(): Pick<WaitFacts, 'state' | 'commitFailedUntil' | 'now'>;
  /** Whether no further delivery begins. */
  isStopped(): boolean;
  /** Whether results are ignored, because the database is about to close. */
  isAbandoned(): boolean;
  /** Called after an attempt: it may have scheduled a retry, or made room for one. */
  afterAttempt(): void;
}
