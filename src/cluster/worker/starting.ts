/**
 * While a module of workerd starts there are no timers, so work that the server's libraries defer to the next turn
 * has to run in the current one. Import this module first; `started` restores the functions of the runtime.
 */
const { nextTick } = process;
const { setImmediate } = globalThis;

process.nextTick = (action: (...args: never[]) => void, ...args: never[]) => {
  queueMicrotask(() => action(...args));
};
globalThis.setImmediate = ((action: (...args: never[]) => void, ...args: never[]) => {
  queueMicrotask(() => action(...args));
}) as never;

/** Call it when the module has started; from then on there are requests and turns. */
export function started(): void {
  process.nextTick = nextTick;
  globalThis.setImmediate = setImmediate;
}
