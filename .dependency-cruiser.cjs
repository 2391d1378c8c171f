/**
 * The modules and which may import which (docs/architecture.md). A module imports those before it, never those after.
 * `api` is the wire of both versions and knows neither Fastify nor a sandbox; `control` acts on sandboxes.
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
  /** The server: above the modules, below what calls or starts it. */
  server: '^src/[^/]+\\.ts$',
  /** The server as a worker, whose sandboxes are Durable Objects. */
  worker: '^src/worker/',
  /** Whoever calls the server or starts it: a client of its operations, the kit of programs, the command line. */
  client: '^src/client/',
  kit: '^src/kit/',
  /** Compares a bank with another one: a client of both. */
  compare: '^src/compare/',
  cli: '^src/cli/',
};

const names = Object.keys(modules);
const oneWay = names.slice(0, -1).map((name, place) => ({
  name: `${name}-looks-down-only`,
  comment: 'Data flows one way; a lower module never knows a higher one.',
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
      comment: 'The ledger and the outbox share nothing; what is sent out knows of the bank only its inputs.',
      severity: 'error',
      from: { path: '^src/(ledger|outbox|delivery)/' },
      to: {
        path: '^src/(ledger|outbox|bank|delivery)/',
        pathNot: ['^src/$1/', '^src/outbox/', '^src/bank/inputs'],
      },
    },
    {
      name: 'versions-do-not-meet',
      comment:
        'Neither version knows the other; only the paths of v2 that speak in the words of v1 are those of v1.',
      severity: 'error',
      from: { path: '^src/api/(v1|v2)/', pathNot: '^src/api/v2/cards/vault' },
      to: { path: '^src/api/(v1|v2)/', pathNot: '^src/api/$1/' },
    },
    {
      name: 'a-client-knows-operations-alone',
      comment: 'A client calls a bank that may run elsewhere: it knows what is served, and not how.',
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
        'What parses and formats is given all that it needs: of the bank it knows types, and no chance, disk or socket.',
      severity: 'error',
      from: { path: '^src/api/' },
      to: {
        path: ['^src/(store|ledger|outbox|bank|delivery)/', '^src/kernel/(sequence|project)\\.ts$', '^data/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-wire-does-no-input-or-output',
      comment: 'What is written as a file is written in turns, as a stream, by the two that write files.',
      severity: 'error',
      from: {
        path: '^src/api/',
        pathNot: ['^src/api/pdf\\.ts$', '^src/api/v1/statements\\.ts$'],
      },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-stays-above',
      comment: 'Only http and the server itself know Fastify.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/http/', '^src/app\\.ts$'] },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'sql-stays-below',
      comment:
        'Only the store, the ledger and the outbox know SQL; the columns of a table define its record.',
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
      comment: 'Whoever is no room of SQL knows of a table the type of its record, and loads nothing for it.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(store|ledger|outbox)/', '^src/model/(columns|tables|fact-records)\\.ts$'],
      },
      to: { path: '^src/model/(columns|tables|fact-records)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'data-is-behind-the-model',
      comment: 'What is looked up is asked of the model, which gives it types and words.',
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
        'What is bundled is a development dependency; build/bundle.mjs checks that the rest comes with the package.',
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
