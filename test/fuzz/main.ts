/**
 * `npm run fuzz`: sends a server what its OpenAPI documents allow, what they nearly allow and what nobody should send, and
 * holds the answers against them. Exit code 1 on a finding.
 *
 *     npm run fuzz -- --seed 7 --requests 1000000
 *     npm run fuzz -- --seed 7 --only 1234
 */
import { parseArgs } from 'node:util';
import { seedOfToday } from '../torture/torture.ts';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(seedOfToday()) },
    requests: { type: 'string', default: '100000' },
    concurrency: { type: 'string', default: '8' },
    only: { type: 'string' },
  },
});
const whole = (text: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`${text} is no whole number`);
  return Number(text);
};
// So that the server ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const { findings } = await fuzz({
  seed: whole(values.seed),
  requests: whole(values.requests),
  concurrency: Math.max(1, whole(values.concurrency)),
  ...(values.only !== undefined && { only: whole(values.only) }),
  line: (text) => process.stdout.write(`${text}\n`),
});
process.exit(findings.length > 0 ? 1 : 0);
