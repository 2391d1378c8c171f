/**
 * Stops the bank after the run.
 */
module.exports = async function stopBank() {
  await globalThis.bankOfRun.close();
};
