/**
 * The modules and the imports between them (docs/architecture.md). A module may import modules before it, but not after it.
 * `api` has the formats of both versions and imports neither Fastify nor sandboxes; `control` acts on sandboxes.
 */
const modules = {
  kernel: '^src/kernel/',
  model: '^src/model/',
  store: '^src/store/',
  'ledger-and-outbox': '^src/(ledger|outbox)/',
  'bank-and-delivery': '^src/(bank|delivery)/',
  api: '^src/api/',
  sandbox: '^src/sandbox/',
  registry: '^src/registry/',
  control: '^src/control/',
  http: '^src/http/',
  /** The process around the server: its settings, log, TLS and ready file. */
  process: '^src/process/',
  /** The server: above the modules, below the code that calls or starts it. */
  server: '^src/[^/]+\\.ts$',
  /** The server as a worker, whose sandboxes are Durable Objects. */
  worker: '^src/worker/',
  /** The code that calls or starts the server: the client of its operations, the test kit, the command line. */
  client: '^src/client/',
  kit: '^src/kit/',
  /** Compares a bank with another one: a client of both. */
  compare: '^src/compare/',
  cli: '^src/cli/',
};

const names = Object.keys(modules);
const oneWay = names.slice(0, -1).map((name, place) => ({
  name: `${name}-looks-down-only`,
  comment: 'Imports go one way: a lower module does not import a higher one.',
  severity: 'error',
  from: { path: modules[name] },
  to: { path: names.slice(place + 1).map((above) => modules[above]) },
}));

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'modules-side-by-side-do-not-meet',
      comment:
        'The ledger and the outbox are independent; of the bank, they and the delivery import only its inputs.',
      severity: 'error',
      from: { path: '^src/(ledger|outbox|delivery)/' },
      to: {
        path: '^src/(ledger|outbox|bank|delivery)/',
        pathNot: ['^src/$1/', '^src/outbox/', '^src/bank/inputs'],
      },
    },
    {
      name: 'versions-do-not-meet',
      comment: 'The versions do not import each other, except for the paths of v2 that use the format of v1.',
      severity: 'error',
      from: { path: '^src/api/(v1|v2)/', pathNot: '^src/api/v2/cards/vault' },
      to: { path: '^src/api/(v1|v2)/', pathNot: '^src/api/$1/' },
    },
    {
      name: 'a-client-knows-operations-alone',
      comment:
        'A client calls a bank that may run elsewhere, so it imports the interface and not the implementation.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/', pathNot: '^src/(client|api|control)/' },
    },
    {
      name: 'the-command-line-stays-on-top',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: 'node_modules/commander/' },
    },
    {
      name: 'the-wire-is-pure',
      comment:
        'Parsers and formatters get their inputs as arguments: of the bank they import only types, and no random source, disk or socket.',
      severity: 'error',
      from: { path: '^src/api/' },
      to: {
        path: ['^src/(store|ledger|outbox|bank|delivery)/', '^src/kernel/(sequence|project)\\.ts$', '^data/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-wire-does-no-input-or-output',
      comment:
        'Only the two modules that write files import modules of Node; they write in turns, as a stream.',
      severity: 'error',
      from: {
        path: '^src/api/',
        pathNot: ['^src/api/pdf\\.ts$', '^src/api/v1/statements\\.ts$'],
      },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-stays-above',
      comment: 'Only http and the server itself import Fastify.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/http/', '^src/app\\.ts$'] },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'sql-stays-below',
      comment: 'Only the store, the ledger and the outbox use SQL; the columns of a table define its record.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(store|ledger|outbox)/', '^src/model/(columns|drizzle)\\.'] },
      to: { path: 'node_modules/drizzle-orm/' },
    },
    {
      name: 'sqlite-stays-below',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(store|ledger|outbox)/'] },
      to: { path: 'node_modules/better-sqlite3/' },
    },
    {
      name: 'tables-are-for-the-store',
      comment: "Other modules import only the type of a table's record, which loads nothing.",
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(store|ledger|outbox)/', '^src/model/(columns|tables|fact-records)\\.ts$'],
      },
      to: { path: '^src/model/(columns|tables|fact-records)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'data-is-behind-the-model',
      comment: 'Only the model reads the data files; it provides their contents with types.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/model/' },
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
