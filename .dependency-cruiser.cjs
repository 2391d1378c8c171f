/**
 * The doors of `src` and the imports between them (docs/architecture.md). A door imports only doors that stand before it,
 * and only files of their thresholds. Inside of `bank` and `sandboxes`, rooms stand in an order of their own.
 */
const doors = {
  bank: {
    path: '^src/bank/',
    /** The basics, the formats of both versions, and by room what a sandbox is built of. */
    threshold: [
      'kernel/',
      'model/',
      'api/',
      'delivery/(attempt|chaos|courier|limits|receiver(-hosts)?|sender|signature|undici-agent|waiting)\\.',
      'ledger/(audit|balance-history|entries|ledger)\\.',
      'outbox/(deliveries|delivery-history|fact-log|outbox|queue)\\.',
      'store/(cache|comparison|driver|drizzle|group-commit|history|image-error|images|migrate|open|resting|row-checks|row-image|search|secrets|store|surroundings|waiting-rows)\\.',
      'verbs/(audit|bank|dependencies|inputs|real-time|tokens|webhooks)\\.',
      'verbs/(cards/(controls|purchases)|files/files|holders/verification|simulation/(payments|records)|transactions/(outcomes|plans))\\.',
    ],
  },
  /** Many banks in one process: each with its clock and courier, their names and files, and the control plane. */
  sandboxes: {
    path: '^src/sandboxes/',
    threshold: [
      'control/(coverage|errors|index|operation|stream|stream-items|summary)\\.',
      'registry/(images|image-import|keys|names|observers|registry|token-marks|totals|unavailable)\\.',
      'sandbox/(background-jobs|check-pages|comparison|disk|example|bank-replacement|faults|image-checks|instance|journal|real-time|sandbox|sandbox-clock|secrets|seed-checks|seed-document|seed-images|snapshots)\\.',
    ],
  },
  /** What the bank says about itself: OpenAPI documents and pages. */
  reference: {
    path: '^src/reference/',
    threshold: ['base-url\\.', 'openapi/document\\.', 'page-headers\\.', 'pages\\.', 'pages/layout\\.'],
  },
  /** The banks behind one port, and the process around it. */
  server: {
    path: '^src/server/',
    threshold: [
      '(app|main|server)\\.',
      'http/(compression|hosts|keys|metrics|validation)\\.',
      'process/(config|healthcheck|log|ready-file|seed-file|setting-values|settings|settings-file|start-failures|welcome)\\.',
    ],
  },
  /** For tests: the client of every operation, and a bank as an object. */
  kit: {
    path: '^src/kit/',
    threshold: ['(bank|events|fetch)\\.', 'causes/(cause|trigger)\\.', 'client/(error|types)\\.'],
  },
  /** For terminals and agents. */
  cli: { path: '^src/cli/', threshold: ['(bank|options|settings|shell)\\.'] },
  /** This bank beside the platform. */
  compare: { path: '^src/compare/', threshold: ['(compare|passthrough)-command\\.'] },
  /** The bank on Durable Objects. */
  cluster: { path: '^src/cluster/', threshold: ['command/cluster\\.'] },
};
/** The program with the commands of all doors. */
const PROGRAM = '^src/command\\.ts$';

const names = Object.keys(doors);
/** One rule a door: it imports doors before it. `cli`, `compare` and `cluster` meet in the program alone. */
const order = names.map((name, place) => ({
  name: `${name}-imports-doors-before-it`,
  comment: 'Imports go one way: a door does not import one that stands after it, nor the program.',
  severity: 'error',
  from: { path: doors[name].path },
  to: { path: [...names.slice(place + 1).map((after) => doors[after].path), PROGRAM] },
}));
const thresholds = names.map((name) => ({
  name: `threshold-of-${name}`,
  comment: `Other doors import only the threshold of ${name}; the program has the commands of all doors.`,
  severity: 'error',
  from: { path: '^src/', pathNot: [doors[name].path, PROGRAM] },
  to: { path: doors[name].path, pathNot: doors[name].threshold.map((file) => `${doors[name].path}${file}`) },
}));

/** The rooms of the doors that have an order inside. */
const rooms = {
  kernel: '^src/bank/kernel/',
  model: '^src/bank/model/',
  store: '^src/bank/store/',
  'ledger-and-outbox': '^src/bank/(ledger|outbox)/',
  'verbs-and-delivery': '^src/bank/(verbs|delivery)/',
  api: '^src/bank/api/',
  sandbox: '^src/sandboxes/sandbox/',
  registry: '^src/sandboxes/registry/',
  control: '^src/sandboxes/control/',
  http: '^src/server/http/',
  process: '^src/server/process/',
};
const roomNames = Object.keys(rooms);
const oneWay = roomNames.slice(0, -1).map((name, place) => ({
  name: `${name}-looks-down-only`,
  comment: 'Imports go one way: a lower room does not import a higher one.',
  severity: 'error',
  from: { path: rooms[name] },
  to: { path: roomNames.slice(place + 1).map((above) => rooms[above]) },
}));

module.exports = {
  forbidden: [
    ...order,
    ...thresholds,
    ...oneWay,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'compare-and-cluster-do-not-meet',
      severity: 'error',
      from: { path: '^src/cluster/' },
      to: { path: '^src/compare/' },
    },
    {
      name: 'rooms-side-by-side-do-not-meet',
      comment:
        'The ledger and the outbox are independent; of the verbs, they and the delivery import only the inputs.',
      severity: 'error',
      from: { path: '^src/bank/(ledger|outbox|delivery)/' },
      to: {
        path: '^src/bank/(ledger|outbox|verbs|delivery)/',
        pathNot: ['^src/bank/$1/', '^src/bank/outbox/', '^src/bank/verbs/inputs'],
      },
    },
    {
      name: 'versions-do-not-meet',
      comment: 'The versions do not import each other, except for the paths of v2 that use the format of v1.',
      severity: 'error',
      from: { path: '^src/bank/api/(v1|v2)/', pathNot: '^src/bank/api/v2/cards/vault' },
      to: { path: '^src/bank/api/(v1|v2)/', pathNot: '^src/bank/api/$1/' },
    },
    {
      name: 'a-client-knows-operations-alone',
      comment:
        'A client calls a bank that may run elsewhere, so it imports the interface and not the implementation. An address is pure text.',
      severity: 'error',
      from: { path: '^src/kit/client/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/kit/client/',
          '^src/bank/(api/|kernel/(address|loopback)\\.ts$)',
          '^src/sandboxes/control/',
        ],
      },
    },
    {
      name: 'the-command-line-stays-on-top',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(cli|compare|cluster)/', PROGRAM] },
      to: { path: 'node_modules/commander/' },
    },
    {
      name: 'the-wire-is-pure',
      comment:
        'Parsers and formatters get their inputs as arguments: of the bank they import only types, and no random source, disk or socket.',
      severity: 'error',
      from: { path: '^src/bank/api/' },
      to: {
        path: [
          '^src/bank/(store|ledger|outbox|verbs|delivery)/',
          '^src/bank/kernel/(sequence|project)\\.ts$',
          '^data/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-wire-does-no-input-or-output',
      comment:
        'Only the two modules that write files import modules of Node; they write in turns, as a stream.',
      severity: 'error',
      from: {
        path: '^src/bank/api/',
        pathNot: ['^src/bank/api/pdf\\.ts$', '^src/bank/api/v1/statements\\.ts$'],
      },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-stays-above',
      comment: 'Only http, the pages and the server itself import Fastify.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/server/(http/|app\\.ts$)', '^src/reference/'] },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'sql-stays-below',
      comment: 'Only the store, the ledger and the outbox use SQL; the columns of a table define its record.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/bank/(store|ledger|outbox)/', '^src/bank/model/(columns|drizzle)\\.'],
      },
      to: { path: 'node_modules/drizzle-orm/' },
    },
    {
      name: 'sqlite-stays-below',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/bank/(store|ledger|outbox)/'] },
      to: { path: 'node_modules/better-sqlite3/' },
    },
    {
      name: 'tables-are-for-the-store',
      comment: "Other modules import only the type of a table's record, which loads nothing.",
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '^src/bank/(store|ledger|outbox)/',
          '^src/bank/model/(columns|tables|fact-records)\\.ts$',
          '^src/cluster/worker/object-driver\\.ts$',
        ],
      },
      to: {
        path: '^src/bank/model/(columns|tables|fact-records)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'data-is-behind-the-model',
      comment: 'Only the model reads the data files; it provides their contents with types.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/bank/model/' },
      to: { path: '^data/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true },
      to: {},
    },
    {
      name: 'nothing-undeclared',
      comment:
        'Bundled packages are development dependencies; build/bundle.mjs checks that all others come with the package.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        // Modules of workerd itself.
        pathNot: '^cloudflare:',
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'],
        dependencyTypesNot: ['npm-peer'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
