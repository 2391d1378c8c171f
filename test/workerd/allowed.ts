/**
 * The allowed differences between a bank in a process and one whose sandboxes are objects of workerd, as the tests that
 * call a bank over HTTP see them. The project `workerd` runs these tests against an instance. A test in a row of
 * `INSIDE` or `DIFFERENT` must fail there with the failure of the row, so a row that is no longer true fails the run.
 */
interface NotRun {
  /** Below `test`. */
  readonly file: string;
  readonly because: string;
}

export interface Allowed extends NotRun {
  /** The names of tests with those of their groups; all tests of the file unless given. */
  readonly tests?: readonly (string | RegExp)[];
  /** The failure. */
  readonly shows: RegExp;
}

/** The message of a test that reads or changes what only its own process has (test/http/program-target.ts). */
const LOOKS_INSIDE = /the test looks inside the server/;

const inside = (file: string, because: string, ...tests: (string | RegExp)[]): Allowed => ({
  file: `${file}.test.ts`,
  because,
  shows: LOOKS_INSIDE,
  ...(tests.length > 0 && { tests }),
});

const alike = (because: string, files: readonly string[]): NotRun[] =>
  files.map((name) => ({ file: `${name}.test.ts`, because }));

/** Tests that look inside the server, which is another process here. */
const INSIDE: readonly Allowed[] = [
  inside(
    'http/account-lists',
    'it locks an account as the bank does',
    /> of v1 are filtered by owner, status, type/,
  ),
  inside(
    'http/arriving',
    'it needs a server with little patience, a token or limits',
    /^before its body arrives, a request is refused > for (a wrong control token|exceeding)/,
    /^a request that is not complete in time > /,
  ),
  inside('http/attachments', 'it lets a commit fail', /> that was rolled back does not exist$/),
  inside('http/create-person-document', 'it reads the record', /> is stored, and publishes no event$/),
  {
    file: 'http/hints.test.ts',
    because: 'it lets a statement of this process fail',
    tests: [/^a hint of an operation > occurs once, even if/],
    shows: /expected \[ \+0, 200 \] to deeply equal \[ 2, 200 \]/,
  },
  inside('http/hosts', 'others cannot reach the instance of a test', /^a server on other addresses > /),
  inside(
    'http/idempotency',
    'it has a sandbox rest',
    /> returns the first response even if its record has changed$/,
  ),
  inside(
    'http/money',
    'it originates payments of v1 as the bank does',
    /^insufficient funds > result in an error for /,
  ),
  inside(
    'http/originate-ach-pull',
    'it writes states that no operation gives',
    /> for an? (account|counterparty) that is |> does not occur for an account with blocked debits/,
  ),
  inside('http/resting', 'it has a sandbox rest between requests'),
  inside('http/update-contact', 'it deletes a contact as the bank does', /> for a deleted contact$/),
  inside('http/v1-batch', 'it fills the books of an account', /> rolls back what an item had written if/),
  inside(
    'http/v1-cards',
    'it counts records that no operation shows',
    /> is refused for a closed account, and creates/,
  ),
  inside('http/v1-check-deposit', 'it reads the stored images', /> stores the sent fields$/),
  inside('http/v1-help-articles', 'it reads the stored images', /> can be sent again during the review/),
  inside(
    'http/v1-test-ach',
    'it writes states that no operation gives',
    /> to an account that is \w+ is declined$/,
  ),
  inside('http/v2-originations', 'it reads the stored images', /> are stored with their content type$/),
  inside('http/v2-simulate', 'it reads the reason of a card payment', /^a merchant > is declined when /),
];

/** What cannot be, or is the part of another program: docs/guides/cluster.md describes it. */
const DIFFERENT: readonly Allowed[] = [
  {
    file: 'http/arriving.test.ts',
    because:
      'the runtime reads the head of a request: it has other limits, and refuses what is no HTTP in its own words',
    tests: [/^a message that is not HTTP > /],
    shows: /is not valid JSON|to be 431/,
  },
  {
    file: 'http/arriving.test.ts',
    because: 'the runtime ends the connection of a request that is refused before its body has come',
    tests: ['a refused body > leaves the connection usable for the next request'],
    shows: /the connection ended before HTTP\/1\.1 200|timed out/,
  },
  {
    file: 'http/home.test.ts',
    because: 'the runtime gives no request whose host cannot be part of a URL',
    tests: ['the page has no permissions, and escapes the host name'],
    shows: /Internal Server Error/,
  },
  {
    file: 'http/hosts.test.ts',
    because:
      'the runtime reads the head of a request: it needs a Host in every version of HTTP, and takes the header before an absolute target',
    tests: [/^on a socket > /],
    shows: /expected (403|NaN) to be 200|is not valid JSON/,
  },
];

export const ALLOWED: readonly Allowed[] = [...INSIDE, ...DIFFERENT];

/**
 * Files that call every operation once more, which takes as long as all others together. They run with
 * SANDBANK_TEST_WORKERD=all; test/long/worker.test.ts compares the responses of every operation in each run.
 */
export const OF_EACH_OPERATION: readonly string[] = [
  'http/echo',
  'http/hints',
  'http/idempotency',
  'http/openapi',
  'http/trailing-slash',
].map((name) => `${name}.test.ts`);

/** Files that do not run against workerd. */
export const NOT_RUN: readonly NotRun[] = [
  ...alike('it builds a server of its own, or only a part of one, in the process of the test', [
    'http/damaged',
    'http/gate',
    'http/long-history',
    'http/parts',
    'http/port-zero',
    'http/request-log',
    'http/silent-connections',
    'http/uploads',
  ]),
  ...alike('it sends many invalid requests to each operation, which takes minutes', [
    'http/bad-input-v1',
    'http/bad-input-v2',
    'http/zero-values',
  ]),
  ...alike('the setting for rate limits is refused: each instance would count for itself', [
    'http/rate-limits',
  ]),
];
