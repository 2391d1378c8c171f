/**
 * `sandbank fault` and `sandbank rule`: faults of requests, and outcomes of payments. Common cases are options; everything
 * else is a JSON document, as the control plane takes it.
 */
import type { Command } from 'commander';
import type { ControlMethods } from '../kit/client/types.ts';
import {
  type BankOptions,
  bankOf,
  columns,
  printAnswer,
  readDocument,
  talksToBank,
  UsageError,
} from './bank.ts';
import { duration, sentOnly, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

type FaultBody = NonNullable<NonNullable<Parameters<ControlMethods['createFault']>[0]>['body']>;
type Fault = Awaited<ReturnType<ControlMethods['createFault']>>;
type RulesBody = Parameters<ControlMethods['replaceRules']>[0]['body'];
type Rule = RulesBody['rules'][number];

interface FaultOptions extends BankOptions {
  readonly file?: string;
  readonly method?: string;
  readonly route?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly code?: string;
  readonly latency?: number;
  readonly connection?: string;
  readonly afterCommit?: boolean;
  readonly times?: number;
  readonly every?: number;
  readonly skipFirst?: number;
  readonly ttl?: string;
}

interface RuleOptions extends BankOptions {
  readonly rail?: Rule['match']['rail'];
  readonly direction?: Rule['match']['direction'];
  readonly amount?: string;
  readonly min?: string;
  readonly max?: string;
  readonly accountNumber?: string;
  readonly routingNumber?: string;
  readonly name?: string;
  readonly mcc?: string;
  readonly returnCode?: string;
  readonly decline?: string;
  readonly review?: boolean;
  readonly after?: string;
  readonly late?: boolean;
}

/** Adds the commands. */
export function addFaults(program: Command, shell: Shell): void {
  addFault(program, shell);
  addRule(program, shell);
}

function addFault(program: Command, shell: Shell): void {
  const fault = program.command('fault').description('make requests of v1 and v2 slow or fail');

  talksToBank(
    fault
      .command('add')
      .description('add a fault: slow responses, errors, or broken connections')
      .option('--method <method>', 'only requests with this method: GET, POST, PATCH, PUT or DELETE')
      .option('--route <path>', 'only requests to this path; a * at the end matches any rest')
      .option('--operation <id>', 'only requests with this operationId')
      .option('--status <status>', 'respond with this HTTP status', wholeNumber(400, 599))
      .option('--code <code>', 'respond with this error code; without --status, with the status of the code')
      .option('--latency <ms>', 'delay the response by this number of milliseconds', wholeNumber(0))
      .option('--connection <fault>', 'break the connection: reset, empty, hang or truncate')
      .option('--after-commit', 'execute the request, but lose the response')
      .option('--times <count>', 'end after this number of requests', wholeNumber(1))
      .option('--every <count>', 'only every n-th request', wholeNumber(1))
      .option('--skip-first <count>', 'begin after this number of requests', wholeNumber(0))
      .option('--ttl <duration>', "end after this time on the sandbox's clock, like 30s", duration)
      .option('--file <file>', 'the whole fault as a JSON document; - reads stdin'),
    "fault add --route '/v2/payments/*' --status 503 --times 2",
    'fault add --latency 2000',
    'fault add --method POST --connection reset --after-commit --times 1',
  ).action(async (options: FaultOptions) => {
    const body = options.file === undefined ? faultOf(options) : (readDocument(options.file) as FaultBody);
    const answer = await bankOf(shell, options).sandbox.createFault({ body });
    printAnswer(shell, options, answer, () => columns([faultRow(answer)]));
  });

  talksToBank(
    fault.command('list').description('list the faults with the number of requests that each affected'),
    'fault list',
  ).action(async (options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.listFaults();
    printAnswer(shell, options, answer, () => columns(answer.faults.map(faultRow)));
  });

  talksToBank(
    fault.command('delete').description('delete a fault').argument('<id>', 'id of the fault'),
    'fault delete flt_1',
  ).action(async (id: string, options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteFault({ params: { id } });
    printAnswer(shell, options, { id, deleted: true }, () => `${id} is deleted`);
  });

  talksToBank(fault.command('clear').description('delete all faults'), 'fault clear').action(
    async (options: BankOptions) => {
      await bankOf(shell, options).sandbox.deleteFaults();
      printAnswer(shell, options, { faults: [] }, () => []);
    },
  );
}

function faultOf(options: FaultOptions): FaultBody {
  const { method, route, operation, status, code, latency, connection, afterCommit } = options;
  const { times, every, skipFirst: skip_first, ttl } = options;
  const isError = status !== undefined || code !== undefined;
  if (!isError && latency === undefined && connection === undefined) {
    throw new UsageError(
      'fault add needs --status 503, --code ERROR_CODE_DB_ERROR, --latency 2000, --connection reset, or --file',
    );
  }
  const match = sentOnly({ method, route, operation });
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...(isError && { error: sentOnly({ status, code }) }),
    ...(latency !== undefined && { latency: { fixed_ms: latency } }),
    ...(afterCommit === true && { when: 'after_commit' }),
    ...sentOnly({ connection, times, every, skip_first, ttl }),
  };
}

function faultRow({ id, match, error, latency, connection, when, seen, hits, over }: Fault): string[] {
  const effect = [
    ...(latency === undefined ? [] : [`latency ${wordsOf(latency)}`]),
    ...(error === undefined ? [] : [`status ${error.status}${error.code ? ` ${error.code}` : ''}`]),
    ...(connection === undefined ? [] : [`connection ${connection}`]),
    ...(when === 'after_commit' ? ['after commit'] : []),
  ];
  const hitCount = `${hits} of ${seen} requests`;
  return [id, wordsOf(match) || 'every request', effect.join(', '), over ? `${hitCount}, over` : hitCount];
}

function addRule(program: Command, shell: Shell): void {
  const rule = program.command('rule').description('set the outcomes of payments');

  talksToBank(
    rule
      .command('add')
      .description('add a rule after the existing rules; the first rule that matches a payment decides')
      .option('--rail <rail>', 'match payments on this rail: ach_pull, ach_push, domestic_wire, ...')
      .option('--direction <direction>', 'match debit or credit')
      .option('--amount <amount>', 'match this amount, like 12.50')
      .option('--min <amount>', 'match this amount and more')
      .option('--max <amount>', 'match this amount and less')
      .option('--account-number <number>', 'match the account number of the other side')
      .option('--routing-number <number>', 'match the routing number of the other side')
      .option('--name <name>', 'match the name of the other side')
      .option('--mcc <code>', 'match the merchant category code of a card payment, four digits')
      .option('--return-code <code>', 'return matching payments with this code: R01, R03, ...')
      .option('--decline <reason>', 'decline matching payments with this reason')
      .option('--review', 'put matching payments in review')
      .option('--after <duration>', 'delay after the payment was created, like 2d', duration)
      .option('--late', 'return even after the return window has closed'),
    'rule add --rail ach_pull --min 500.00 --return-code R01 --after 2d',
    'rule add --mcc 7995 --decline categoryNotAllowed',
  ).action(async (options: RuleOptions) => {
    const { sandbox } = bankOf(shell, options);
    const { rules } = await sandbox.retrieveRules();
    printRules(shell, options, await sandbox.replaceRules({ body: { rules: [...rules, ruleOf(options)] } }));
  });

  talksToBank(
    rule
      .command('set')
      .description('replace all rules')
      .argument('<file>', 'a JSON document like {"rules": [{"match": {}, "outcome": {}}]}; - reads stdin'),
    'rule set rules.json',
  ).action(async (file: string, options: BankOptions) => {
    const body = readDocument(file) as RulesBody;
    printRules(shell, options, await bankOf(shell, options).sandbox.replaceRules({ body }));
  });

  talksToBank(rule.command('list').description('list the rules in their order'), 'rule list').action(
    async (options: BankOptions) => {
      printRules(shell, options, await bankOf(shell, options).sandbox.retrieveRules());
    },
  );

  talksToBank(rule.command('clear').description('delete all rules'), 'rule clear').action(
    async (options: BankOptions) => {
      printRules(shell, options, await bankOf(shell, options).sandbox.replaceRules({ body: { rules: [] } }));
    },
  );
}

function ruleOf(options: RuleOptions): Rule {
  const { rail, direction, amount: equals, min, max, mcc, name } = options;
  const { accountNumber: account_number, routingNumber: routing_number } = options;
  const { returnCode: return_code, decline: decline_reason, review, after, late } = options;
  const amount = sentOnly({ equals, min, max });
  return {
    match: {
      ...sentOnly({ rail, direction, account_number, routing_number, name, mcc }),
      ...(Object.keys(amount).length > 0 && { amount }),
    },
    outcome: sentOnly({ return_code, decline_reason, review, after, late }),
  };
}

function printRules(shell: Shell, options: BankOptions, answer: RulesBody): void {
  printAnswer(shell, options, answer, () =>
    columns(
      answer.rules.map(({ match, outcome }, at) => [
        `rule ${at + 1}`,
        wordsOf(match) || 'every payment',
        `-> ${wordsOf(outcome) || 'no change'}`,
      ]),
    ),
  );
}

/** The fields of an object in a line: `amount min 5.00, rail ach_pull`. */
function wordsOf(value: object): string {
  return Object.entries(value)
    .map(([name, inner]) =>
      typeof inner === 'object' && inner !== null ? `${name} ${wordsOf(inner)}` : `${name} ${inner}`,
    )
    .join(', ');
}
