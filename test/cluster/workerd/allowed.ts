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

/** The message of a test that reads or changes what only its own process has (test/server/http/program-target.ts). */
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
    'server/http/account-lists',
    'it locks an account as the bank does',
    /> of v1 are filtered by owner, status, type/,
  ),
  inside(
    'server/http/arriving',
    'it needs a server with little patience, a token or limits',
    /^before its body arrives, a request is refused > for (a wrong control token|exceeding)/,
    /^a request that is not complete in time > /,
  ),
  inside('server/http/attachments', 'it lets a commit fail', /> that was rolled back does not exist$/),
  inside('server/http/create-person-document', 'it reads the record', /> is stored, and publishes no event$/),
  {
    file: 'server/http/hints.test.ts',
    because: 'it lets a statement of this process fail',
    tests: [/^a hint of an operation > occurs once, even if/],
    shows: /expected \[ \+0, 200 \] to deeply equal \[ 2, 200 \]/,
  },
  inside(
    'server/http/hosts',
    'others cannot reach the instance of a test',
    /^a server on other addresses > /,
  ),
  inside(
    'server/http/idempotency',
    'it has a sandbox rest',
    /> returns the first response even if its record has changed$/,
  ),
  inside(
    'server/http/money',
    'it originates payments of v1 as the bank does',
    /^insufficient funds > result in an error for /,
  ),
  inside(
    'server/http/originate-ach-pull',
    'it writes states that no operation gives',
    /> for an? (account|counterparty) that is |> does not occur for an account with blocked debits/,
  ),
  inside('server/http/resting', 'it has a sandbox rest between requests'),
  inside('server/http/update-contact', 'it deletes a contact as the bank does', /> for a deleted contact$/),
  inside(
    'server/http/v1-batch',
    'it fills the books of an account',
    /> rolls back what an item had written if/,
  ),
  inside(
    'server/http/v1-cards',
    'it counts records that no operation shows',
    /> is refused for a closed account, and creates/,
  ),
  inside('server/http/v1-check-deposit', 'it reads the stored images', /> stores the sent fields$/),
  inside(
    'server/http/v1-help-articles',
    'it reads the stored images',
    /> can be sent again during the review/,
  ),
  inside(
    'server/http/v1-test-ach',
    'it writes states that no operation gives',
    /> to an account that is \w+ is declined$/,
  ),
  inside(
    'server/http/v2-originations',
    'it reads the stored images',
    /> are stored with their content type$/,
  ),
  inside(
    'server/http/v2-simulate',
    'it reads the reason of a card payment',
    /^a merchant > is declined when /,
  ),
  inside(
    'server/http/control/compare',
    'it makes thousands of payments at once',
    /with many records is compared in a thread/,
  ),
  inside(
    'server/http/control/events-wait',
    'it listens to the notices of the sandbox',
    'that starts between two commits gets both',
  ),
  inside(
    'server/http/control/outcomes',
    'it orders payments in the bank itself',
    /^the magic values of outgoing payments > give/,
  ),
  inside(
    'server/http/control/requests',
    'it listens to the notices of the sandbox',
    /notifies the listeners of the sandbox$/,
  ),
  inside(
    'server/http/control/sandboxes',
    'it looks at the files of a data directory',
    /the list does not open resting sandboxes/,
    /is deleted with its files$/,
    /the file of the keys is for its owner alone$/,
  ),
  inside('server/http/control/secrets', 'it signs with the secret of the bank', /^a link for ten years/),
  inside(
    'server/http/control/state',
    'it compares the tables of the bank, or damages its files',
    /two runs from one snapshot are identical, byte for byte$/,
    /that was a snapshot and is damaged is refused/,
  ),
  inside(
    'server/http/control/stream',
    'it looks at the listeners of the sandbox',
    /stops listening when the client disconnects$/,
    /ends when the sandbox ends$/,
  ),
  inside(
    'server/http/control/trace',
    'it counts or breaks the reads of the bank',
    /reads the log of facts as often for many records as for one$/,
    /shares responses with others that wait/,
    /is created without the calls that fail$/,
  ),
];

/** What cannot be, or is the part of another program: docs/guides/cluster.md describes it. */
const DIFFERENT: readonly Allowed[] = [
  {
    file: 'server/http/arriving.test.ts',
    because:
      'the runtime reads the head of a request: it has other limits, and refuses what is no HTTP in its own words',
    tests: [/^a message that is not HTTP > /],
    shows: /is not valid JSON|to be 431/,
  },
  {
    file: 'server/http/arriving.test.ts',
    because: 'the runtime ends the connection of a request that is refused before its body has come',
    tests: ['a refused body > leaves the connection usable for the next request'],
    shows: /the connection ended before HTTP\/1\.1 200|timed out/,
  },
  {
    file: 'server/http/hosts.test.ts',
    because:
      'the runtime reads the head of a request: it needs a Host in every version of HTTP, and takes the header before an absolute target',
    tests: [/^on a socket > /],
    shows: /expected (403|NaN) to be 200|is not valid JSON/,
  },
  {
    file: 'server/http/control/faults.test.ts',
    because: 'the runtime has the connections of clients, so faults of connections are refused',
    tests: [/^a broken connection > (reset|empty|hang|truncate|is a network|also ends)/],
    shows: /501|not_emulated/,
  },
  {
    file: 'server/http/control/requests.test.ts',
    because: 'the runtime has the connections of clients, so faults of connections are refused',
    tests: ['the journal > contains a refusal, a replay, a hint and a fault'],
    shows: /instead of rejecting|501 not_emulated/,
  },
  {
    file: 'server/http/v2-error-codes.test.ts',
    because:
      'an object executes its requests one after the other, so the second of two gets the first response',
    tests: [/^a code of v2 > ERROR_CODE_IDEMPOTENCY_KEY_CONFLICT is caused by/],
    shows: /to deeply equal \{ status: 409/,
  },
  {
    file: 'recipes.test.ts',
    because: 'the runtime has the connections of clients, so faults of connections are refused',
    tests: ['the recipes > idempotency.md: contains a test that passes unchanged'],
    shows: /connection faults are not available here/,
  },
  {
    file: 'server/http/control/clock.test.ts',
    because: 'a test cannot move the real time of another process',
    tests: [/returns the real time until the clock is set$/, /changes the rate, from the present time$/],
    shows: /to deeply equal/,
  },
  {
    file: 'server/http/control/state.test.ts',
    because: 'a reset starts the clock with the real time, which a test cannot stop in another process',
    tests: [/a reset restores the seeded bank, with its ids and the real time$/],
    shows: /to deeply equal/,
  },
  {
    file: 'server/http/control/state.test.ts',
    because: 'an object reads rows alone, and says so of every SQLite file',
    tests: [
      /^an uploaded image > that is (half of|a damaged|a bank|an empty|another database(?= changes)).* ?changes nothing$/,
      'an uploaded image > is accepted with any content type',
      'an uploaded image > that is the file of a bank in a data directory is accepted',
    ],
    shows: /it is a SQ|expected 400 to be 200|reading 'transactions'/,
  },
  {
    file: 'server/http/control/sandboxes.test.ts',
    because:
      'an object reports its size, clock and last use at most every five seconds, and its database is larger than its image',
    tests: [/the list shows size, clock and last use of a sandbox/],
    shows: /to be \d+/,
  },
];

export const ALLOWED: readonly Allowed[] = [...INSIDE, ...DIFFERENT];

/**
 * The files of every run: they test what the runtime provides (storage, time, timers, connections, deliveries). The
 * others test rules, which are the same code in every runtime; they run with SANDBANK_TEST_WHOLE=1.
 * test/long/worker.test.ts compares the responses of every operation in each run.
 */
export const IN_EVERY_RUN: readonly string[] = [
  'contract/acceptance/both-payments',
  'contract/acceptance/both-versions',
  'contract/acceptance/v2-quick-start',
  'recipes',
  'reference/openapi-answers',
  'server/http/account-lists',
  'server/http/arriving',
  'server/http/attachments',
  'server/http/compression',
  'server/http/documents',
  'server/http/home',
  'server/http/hosts',
  'server/http/money',
  'server/http/statements',
  'server/http/v1-states',
  'server/http/v2-transactions',
  'server/http/webhook-v1',
  'server/http/webhook-v2',
  'server/http/control/activity',
  'server/http/control/balances',
  'server/http/control/clock',
  'server/http/control/events',
  'server/http/control/events-wait',
  'server/http/control/faults',
  'server/http/control/rails',
  'server/http/control/receiver',
  'server/http/control/requests',
  'server/http/control/restart',
  'server/http/control/sandboxes',
  'server/http/control/search',
  'server/http/control/secrets',
  'server/http/control/state',
  'server/http/control/stream',
  'server/http/control/trace',
].map((name) => `test/${name}.test.ts`);

/** Files that do not run against workerd. */
export const NOT_RUN: readonly NotRun[] = [
  ...alike('it breaks or watches parts inside the process of the test', [
    'server/http/control/audit-at-rest',
    'server/http/control/event-waits',
    'server/http/control/failing-commits',
    'server/http/control/memory-full',
    'server/http/control/observers',
    'server/http/control/reset-under-load',
  ]),
  ...alike(
    'it builds servers of other addresses; test/long/cluster-directory.test.ts has the token and closed sandboxes',
    ['server/http/control/guard'],
  ),
  ...alike('the runtime announces no end to an object, so the last two seconds of the journal are lost', [
    'server/http/control/restart-journal',
  ]),
  ...alike(
    'it damages SQLite files, and an object reads rows alone: test/long/worker-images.test.ts damages those',
    ['server/http/control/images'],
  ),
  ...alike('it builds a server of its own, or only a part of one, in the process of the test', [
    'server/http/damaged',
    'server/http/gate',
    'server/http/long-history',
    'server/http/parts',
    'server/http/port-zero',
    'server/http/request-log',
    'server/http/silent-connections',
    'server/http/uploads',
  ]),
  ...alike(
    'it compares an export of the bank after each of its many requests, which takes more than ten minutes',
    ['server/http/bad-input-v1', 'server/http/bad-input-v2'],
  ),
  ...alike('the setting for rate limits is refused: each instance would count for itself', [
    'server/http/rate-limits',
  ]),
];
