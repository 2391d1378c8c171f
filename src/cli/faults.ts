/**
 * `sandbank fault` and `sandbank rule`: what is to go wrong with requests, and what is to become of payments. Common
 * cases are options; everything else is a JSON document, as the control plane takes it.
 */
import type { Command } from 'commander';
import type { ControlMethods } from '../client/types.ts';
import {
  type BankOptions,
  bankOf,
  columns,
  printAnswer,
  readDocument,
  talksToBank,
  UsageError,
} from './bank.ts';
import { given, wholeNumber } from './options.ts';
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
  const fault = program
    .command('fault')
    .description('make requests of v1 and v2 go wrong')
    .addHelpText(
      'after',
      "\nExamples:\n  $ sandbank fault add --route '/v2/payments/*' --status 503 --times 2\n" +
        '  $ sandbank fault add --latency 2000\n' +
        '  $ sandbank fault add --method POST --connection reset --after-commit --times 1\n' +
        '  $ sandbank fault list\n  $ sandbank fault clear',
    );

  talksToBank(
    fault
      .command('add')
      .description('make requests slow, refused, or without an answer')
      .option('--method <method>', 'only these: GET, POST, PATCH, PUT or DELETE')
      .option('--route <path>', 'only these: a path of v1 or v2; * is any rest of it')
      .option('--operation <id>', 'only these: an operationId')
      .option('--status <status>', 'answer with this HTTP status', wholeNumber(400, 599))
      .option('--code <code>', 'and with this error code')
      .option('--latency <ms>', 'wait so many milliseconds before the answer', wholeNumber(0))
      .option('--connection <fault>', 'break the connection: reset, empty, hang or truncate')
      .option('--after-commit', 'carry the request out, and lose the answer')
      .option('--times <count>', 'so many times, then no more', wholeNumber(1))
      .option('--every <count>', 'every second, third, ... request', wholeNumber(1))
      .option('--skip-first <count>', 'let so many requests pass first', wholeNumber(0))
      .option('--ttl <duration>', "for so long on the sandbox's clock, like PT30S")
      .option('--file <file>', 'the whole fault as a JSON document instead; - reads stdin'),
  ).action(async (options: FaultOptions) => {
    const body = options.file === undefined ? faultOf(options) : (readDocument(options.file) as FaultBody);
    const answer = await bankOf(shell, options).sandbox.createFault({ body });
    printAnswer(shell, options, answer, () => columns([faultRow(answer)]));
  });

  talksToBank(fault.command('list').description('list the faults, and what each has done')).action(
    async (options: BankOptions) => {
      const answer = await bankOf(shell, options).sandbox.listFaults();
      printAnswer(shell, options, answer, () => columns(answer.faults.map(faultRow)));
    },
  );

  talksToBank(fault.command('delete').description('end one fault').argument('<id>', 'the fault')).action(
    async (id: string, options: BankOptions) => {
      await bankOf(shell, options).sandbox.deleteFault({ params: { id } });
      printAnswer(shell, options, { id, deleted: true }, () => `${id} is deleted`);
    },
  );

  talksToBank(fault.command('clear').description('end all faults')).action(async (options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteFaults();
    printAnswer(shell, options, { faults: [] }, () => []);
  });
}

function faultOf(options: FaultOptions): FaultBody {
  const { method, route, operation, status, code, latency, connection, afterCommit } = options;
  const { times, every, skipFirst: skip_first, ttl } = options;
  if (status === undefined && latency === undefined && connection === undefined) {
    throw new UsageError('what is to go wrong? Give --status 503, --latency 2000, or --connection reset');
  }
  const match = given({ method, route, operation });
  return {
    ...(Object.keys(match).length > 0 && { match }),
    ...(status !== undefined && { error: { status, ...given({ code }) } }),
    ...(latency !== undefined && { latency: { fixed_ms: latency } }),
    ...(afterCommit === true && { when: 'after_commit' }),
    ...given({ connection, times, every, skip_first, ttl }),
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
  const rule = program
    .command('rule')
    .description('say what becomes of payments')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbank rule add --rail ach_pull --min 500.00 --return-code R01 --after P2D\n' +
        '  $ sandbank rule add --mcc 7995 --decline categoryNotAllowed\n' +
        '  $ sandbank rule set rules.json\n  $ sandbank rule list\n  $ sandbank rule clear',
    );

  talksToBank(
    rule
      .command('add')
      .description('add a rule after those there are; the first that fits a payment decides')
      .option('--rail <rail>', 'payments by this: ach_pull, ach_push, domestic_wire, ...')
      .option('--direction <direction>', 'debit or credit')
      .option('--amount <amount>', 'of exactly this amount, like 12.50')
      .option('--min <amount>', 'of at least this amount')
      .option('--max <amount>', 'of at most this amount')
      .option('--account-number <number>', 'with this account on the other side')
      .option('--routing-number <number>', 'with this bank on the other side')
      .option('--name <name>', 'with this name on the other side')
      .option('--mcc <code>', 'of a card: with this merchant category, four digits')
      .option('--return-code <code>', 'are returned: R01, R03, ...')
      .option('--decline <reason>', 'are declined, for this reason')
      .option('--review', 'are put in review')
      .option('--after <duration>', 'so long after they were made, like P2D')
      .option('--late', 'of a return: even when its window is over'),
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
  ).action(async (file: string, options: BankOptions) => {
    const body = readDocument(file) as RulesBody;
    printRules(shell, options, await bankOf(shell, options).sandbox.replaceRules({ body }));
  });

  talksToBank(rule.command('list').description('list the rules in their order')).action(
    async (options: BankOptions) => {
      printRules(shell, options, await bankOf(shell, options).sandbox.retrieveRules());
    },
  );

  talksToBank(rule.command('clear').description('delete all rules')).action(async (options: BankOptions) => {
    printRules(shell, options, await bankOf(shell, options).sandbox.replaceRules({ body: { rules: [] } }));
  });
}

function ruleOf(options: RuleOptions): Rule {
  const { rail, direction, amount: equals, min, max, mcc, name } = options;
  const { accountNumber: account_number, routingNumber: routing_number } = options;
  const { returnCode: return_code, decline: decline_reason, review, after, late } = options;
  const amount = given({ equals, min, max });
  return {
    match: {
      ...given({ rail, direction, account_number, routing_number, name, mcc }),
      ...(Object.keys(amount).length > 0 && { amount }),
    },
    outcome: given({ return_code, decline_reason, review, after, late }),
  };
}

function printRules(shell: Shell, options: BankOptions, answer: RulesBody): void {
  printAnswer(shell, options, answer, () =>
    columns(
      answer.rules.map(({ match, outcome }, at) => [
        `rule ${at + 1}`,
        wordsOf(match) || 'every payment',
        `-> ${wordsOf(outcome) || 'the ordinary course'}`,
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
