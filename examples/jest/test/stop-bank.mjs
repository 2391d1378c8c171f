/**
 * Stops the bank after the run.
 */
export default async function stopBank() {
  await globalThis.bankOfRun.close();
}
