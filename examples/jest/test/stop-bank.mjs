/**
 * Stops the bank of the run.
 */
export default async function stopBank() {
  await globalThis.bankOfRun.close();
}
