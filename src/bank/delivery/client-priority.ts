/**
 * Gives the commands of clients priority over deliveries. While clients send commands, first attempts begin in a turn
 * of the event loop without such commands, or after a number of them, so that most of the processor time is left to
 * payments.
 */
export interface PriorityHooks {
  /** Begins the first attempts that may be sent. */
  begin(): void;
  /** Runs `begin` when no caller receives its failure. */
  runJob(begin: () => void): void;
  /** Whether no further delivery begins. */
  isStopped(): boolean;
  /** Calls back in the next turn of the event loop; without it first attempts begin immediately. */
  nextTurn?(action: () => void): void;
  /** Whether commands wait for their commit. */
  hasCommands?(): boolean;
}

/**
 * While every turn of the event loop has commands of clients, deliveries begin after this number of commands.
 * Starting several together also costs less: the sender's thread is woken once for all of them.
 */
const COMMANDS_BETWEEN = 128;

export class ClientPriority {
  readonly #hooks: PriorityHooks;
  /** The number of client commands since deliveries last began. */
  #commandsSince = 0;
  #isPostponed = false;

  constructor(hooks: PriorityHooks) {
    this.#hooks = hooks;
  }

  /** Begins first attempts, now or later, after a commit with this number of client commands. */
  beginAfter(commands: number, isUrgent: boolean): void {
    this.#commandsSince += commands;
    const isBusy = commands > 0 && this.#commandsSince < COMMANDS_BETWEEN && !isUrgent;
    if (isBusy && this.#hooks.nextTurn !== undefined) this.#postpone(this.#hooks.nextTurn);
    else this.#begin();
  }

  /** Begins the first attempts that are postponed. */
  beginPostponed(): void {
    if (this.#isPostponed && !this.#hooks.isStopped()) this.#hooks.runJob(() => this.#begin());
  }

  #begin(): void {
    this.#commandsSince = 0;
    this.#isPostponed = false;
    this.#hooks.begin();
  }

  #postpone(nextTurn: (action: () => void) => void): void {
    if (this.#isPostponed) return;
    this.#isPostponed = true;
    const look = (): void => {
      if (this.#hooks.isStopped() || !this.#isPostponed) return;
      // Their commit may fail, and then it would begin nothing.
      if (this.#hooks.hasCommands?.() === true) nextTurn(look);
      else this.beginPostponed();
    };
    nextTurn(look);
  }
}
