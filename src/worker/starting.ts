/**
 * While a module of workerd starts there are no timers, and what the server's libraries put off to the next turn has to run in
 * this one. Import it before anything else; `started` gives the functions of the runtime back.
 */
const { nextTick } = process;
const { setImmediate } = globalThis;

process.nextTick = (action: (...args: never[]) => void, ...args: never[]) => {
  queueMicrotask(() => action(...args));
};
globalThis.setImmediate = ((action: (...args: never[]) => void, ...args: never[]) => {
  queueMicrotask(() => action(...args));
}) as never;

/** The module has started: from here on there are requests, and turns. */
export function started(): void {
  process.nextTick = nextTick;
  globalThis.setImmediate = setImmediate;
}
