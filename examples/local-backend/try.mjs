// Pays 12.50 through the backend, and checks that a webhook reports the payment as settled. It moves the bank's clock, so
// it does not have to wait.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectSandbank } from 'sandbank';

const PORT = process.env.PORT ?? '3000';
const url = `http://127.0.0.1:${PORT}`;
const backend = spawn(process.execPath, ['server.mjs'], {
  env: { ...process.env, PORT },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [said] = await Promise.race([
    once(backend.stdout, 'data'),
    once(backend, 'exit').then(() => Promise.reject(new Error('the backend did not start'))),
  ]);
  process.stdout.write(said);

  const answer = await fetch(`${url}/pay`, { method: 'POST', body: JSON.stringify({ amount: '12.50' }) });
  const { id, status } = await answer.json();
  console.log(`${id} is ${status}`);

  // `sandbank exec` put the address of the bank into the environment.
  const bank = connectSandbank();
  await bank.clock.settle();
  await bank.sandbox.drain();

  const payments = await (await fetch(`${url}/payments`)).json();
  assert.deepEqual(payments, [{ id, amount: '12.50', status: 'settled' }]);
  console.log(`${id} is settled`);
} finally {
  backend.kill();
}
