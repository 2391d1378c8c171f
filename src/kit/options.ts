/**
 * Refuses an option that a call of the kit does not have. TypeScript does the same, but many tests are written in
 * JavaScript, where a misspelt option would be ignored.
 */
export function checkOptions(call: string, options: unknown, known: readonly string[]): void {
  const list = known.join(', ');
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`${call} takes an object with ${list}, not ${JSON.stringify(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${call} has no option ${JSON.stringify(unknown)}; its options are ${list}`);
  }
}
