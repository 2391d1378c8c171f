/**
 * Starts the bank for the run. Every test sees the environment that is set here.
 */
import { startSandbank } from 'sandbank';

export default async function startBank() {
  const bank = await startSandbank({ rails: 'manual' });
  Object.assign(process.env, bank.env);
  globalThis.bankOfRun = bank;
}
