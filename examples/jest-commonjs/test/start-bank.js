/**
 * Starts the bank for the run, in a process of its own. Every test sees the environment that is set here.
 */
const { startSandbank } = require('sandbank');

module.exports = async function startBank() {
  const bank = await startSandbank({ rails: 'manual' });
  Object.assign(process.env, bank.env);
  globalThis.bankOfRun = bank;
};
