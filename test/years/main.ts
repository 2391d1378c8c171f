/**
 * `npm run years`: advances one bank through five years and compares it with the rules. Exit code 1 after a difference.
 *
 *     npm run years -- --seed 7 --from 2028-02-01 --to 2028-04-01
 */
import { Command } from 'commander';
import { wholeNumber } from '../../src/cli/options.ts';
import { runYears, type Span } from './run.ts';

const SHOWN = 50;

const command = new Command('years')
  // 1 is for differences.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .description(
    'Advances a bank day by day, and compares dates, windows, balances and statements with the rules.',
  )
  .option('--from <date>', 'the first day, at midnight UTC', '2027-01-01')
  .option('--to <date>', 'the day after the last', '2032-01-01')
  .option('--seed <number>', 'what everything is drawn from', wholeNumber(0), 1);

const { days, payments, comparisons, differences } = await runYears(command.parse().opts<Span>());
for (const difference of differences.slice(0, SHOWN)) process.stdout.write(`${difference}\n`);
process.stdout.write(
  `${days} days, ${payments} payments, ${comparisons} comparisons, ${differences.length} differences\n`,
);
process.exit(differences.length > 0 ? 1 : 0);
