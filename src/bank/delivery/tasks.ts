/**
 * The running tasks of a courier: deliveries that are being sent or recorded. No caller awaits a task, so a failure is
 * reported here and nothing is rejected.
 */
export interface TaskHooks {
  /** Reports the failure of a task. */
  onFailure(error: unknown): void;
  /** Called before the courier becomes idle while a caller waits for that; may start more tasks. */
  beforeIdle(): void;
}

export class Tasks {
  readonly #hooks: TaskHooks;
  #running = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(hooks: TaskHooks) {
    this.#hooks = hooks;
  }

  /** Runs a task. */
  async start(work: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await work();
    } catch (error) {
      this.#hooks.onFailure(error);
    }
    this.#running -= 1;
    if (this.#running === 0 && this.isAwaited()) this.#beforeIdle();
    if (this.#running > 0) return;
    const waiting = this.#idleWaiters;
    this.#idleWaiters = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when no task is running. */
  idle(): Promise<void> {
    this.#hooks.beforeIdle();
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  /** Whether a caller waits until no task is running. */
  isAwaited(): boolean {
    return this.#idleWaiters.length > 0;
  }

  #beforeIdle(): void {
    try {
      this.#hooks.beforeIdle();
    } catch (error) {
      this.#hooks.onFailure(error);
    }
  }
}
