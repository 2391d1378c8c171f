/** The options of a wait of the kit that has to succeed, also on a busy machine. By default it waits for five seconds. */
export const PATIENTLY = { timeout: 60_000 };
