/**
 * Starts the bank of the run. What stands in the environment here is there in every test.
 */
import { startSandbank } from 'sandbank';

export default async function startBank() {
  const bank = await startSandbank({ rails: 'manual' });
  Object.assign(process.env, bank.env);
  globalThis.bankOfRun = bank;
}
