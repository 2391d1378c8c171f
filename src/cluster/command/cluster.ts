/**
 * `sandbank cluster`: a bank for several machines, where each sandbox is a Durable Object of workerd or of Cloudflare. `init` writes
 * the folder that they run, `dev` runs one instance on this machine, `instance` one of several, and `bucket` a bucket to try them.
 */
import type { Command } from 'commander';
import { httpUrl, wholeNumber, withExamples } from '../../cli/options.ts';
import { type SettingsFlags, settingsInput, takesSettings } from '../../cli/settings.ts';
import type { Shell } from '../../cli/shell.ts';
import type { BucketOptions } from './bucket.ts';
import type { InitOptions } from './init.ts';

interface DevFlags extends SettingsFlags {
  readonly printConfig?: boolean;
  readonly json?: boolean;
}

const FOLDER = 'sandbank-cluster';
const BUCKET_PORT = 9_000;
const MAX_PORT = 65_535;

interface InstanceFlags extends SettingsFlags {
  readonly folder: string;
  readonly data: string;
  readonly bucket: string;
  readonly endpoint?: string;
  readonly peerAddress: string;
  readonly peerAdvertise?: string;
  readonly json?: boolean;
}

/** Adds the command with its sub-commands. */
export function addCluster(program: Command, shell: Shell): void {
  const cluster = program
    .command('cluster')
    .description('run a bank on several machines, or on Cloudflare')
    .addHelpText(
      'after',
      '\nOne machine with "sandbank start" is enough for nearly everybody, and at least three times faster. docs/guides/cluster.md\n' +
        'describes when it is not, and a running bank serves that guide at /docs/guides/cluster.html.',
    );

  withExamples(
    cluster
      .command('init')
      .description(
        'write the files of an instance, of Cloudflare, Docker Compose and Kubernetes into a folder',
      )
      .argument('[folder]', 'the folder', FOLDER)
      .option('--force', 'overwrite existing files')
      .option('--seed-file <file>', 'the seed document of new sandboxes (SANDBANK_SEED_FILE)')
      .option('--json', 'print only the response, as JSON'),
    'cluster init',
    'cluster init bank --force',
  ).action(async (folder: string, options: InitOptions) => {
    const { runInit } = await import('./init.ts');
    runInit(shell, folder, options);
  });

  withExamples(
    cluster
      .command('bucket')
      .description('run a bucket in memory, to try several instances on this machine')
      .option('--port <port>', 'the port; 0 for a free one', wholeNumber(0, MAX_PORT), BUCKET_PORT)
      .option('--json', 'print only the address, as JSON'),
    'cluster bucket',
    'cluster bucket --port 9001',
  ).action(async (options: BucketOptions) => {
    const { runBucket } = await import('./bucket.ts');
    await runBucket(shell, options);
  });

  takesSettings(
    withExamples(
      cluster.command('dev').description('run one instance on this machine'),
      'cluster dev',
      'cluster dev --port 5000 --data bank --rails manual',
    ),
  )
    .option('--print-config', 'print the settings with their sources without starting an instance')
    .option('--json', 'print the log as JSON, one line per entry')
    .addHelpText(
      'after',
      '\nEvery setting is also a variable, SANDBANK_PORT for --port, and a key of the file, like {"port": 5000}. A setting that can have\n' +
        'no effect here is refused. SANDBANK_WORKERD names the program workerd.',
    )
    .action(async (options: DevFlags) => {
      const { runDev } = await import('./dev.ts');
      shell.exitCode = await runDev(shell, {
        ...settingsInput(options),
        printOnly: options.printConfig === true,
        json: options.json === true,
      });
    });

  takesSettings(
    withExamples(
      cluster
        .command('instance')
        .description('run one of several instances that share the sandboxes, and start it again when it ends')
        .requiredOption('--folder <folder>', 'the folder that "sandbank cluster init" wrote')
        .requiredOption('--data <folder>', 'a folder of this instance alone; it may be empty at each start')
        .requiredOption('--bucket <url>', 'the bucket that all instances share, like s3://bank/sandbank')
        .option('--endpoint <url>', 'the address of the bucket (AWS_ENDPOINT_URL)', httpUrl)
        .option(
          '--peer-address <host:port>',
          'the address at which the other instances reach this one',
          '127.0.0.1:0',
        )
        .option('--peer-advertise <host:port>', 'the address that the other instances use, if it differs'),
      'cluster instance --folder sandbank-cluster --data disk-1 --bucket s3://bank/sandbank --endpoint http://127.0.0.1:9000',
    ),
    ['data'],
  )
    .option('--json', 'print the log as JSON, one line per entry')
    .addHelpText(
      'after',
      '\nThe credentials of the bucket are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in the file AWS_CREDENTIALS_FILE; AWS_REGION is auto\n' +
        'unless it is set. SANDBANK_SECRET_ROOT must be set, and be the same for all instances.',
    )
    .action(async ({ data, ...options }: InstanceFlags) => {
      const { runInstance } = await import('./run.ts');
      const { folder, bucket, endpoint, peerAddress, peerAdvertise, json = false } = options;
      const where = { folder, data, bucket, endpoint, peerAddress, peerAdvertise };
      await runInstance(shell, { ...settingsInput(options), ...where, json });
    });
}
