/**
 * `npm run fuzz`: sends a server valid, nearly valid and invalid requests according to its OpenAPI documents, and compares
 * the responses with the documents. Exit code 1 after a finding.
 *
 *     npm run fuzz -- --seed 7 --requests 1000000
 *     npm run fuzz -- --seed 7 --only 1234
 */
import { Command } from 'commander';
import { wholeNumber } from '../../src/cli/options.ts';
import { seedOfToday } from '../torture/torture.ts';
import { fuzz } from './fuzz.ts';

const command = new Command('fuzz')
  // 1 is for findings.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .description(
    'Sends a server valid and invalid requests, and compares the answers with its OpenAPI documents.',
  )
  .option(
    '--seed <number>',
    'what everything is drawn from; the date unless given',
    wholeNumber(0),
    seedOfToday(),
  )
  .option('--requests <number>', 'how many', wholeNumber(0), 100_000)
  .option('--concurrency <number>', 'how many at once', wholeNumber(1), 8)
  .option('--only <number>', 'send this one alone', wholeNumber(0));
const { seed, requests, concurrency, only } = command.parse().opts<{
  seed: number;
  requests: number;
  concurrency: number;
  only?: number;
}>();
// So that the server ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const { findings } = await fuzz({
  seed,
  requests,
  concurrency,
  ...(only !== undefined && { only }),
  line: (text) => process.stdout.write(`${text}\n`),
});
process.exit(findings.length > 0 ? 1 : 0);
