/**
 * The rooms of the house and who may look into whom (docs/architecture.md). A room sees those before it, never after.
 */
const rooms = ['kernel', 'model', 'store', 'ledger|outbox', 'bank|delivery', 'dialects', 'sandboxes', 'http'];
/** Whoever calls the server or starts it: a client of its operations, the kit of programs, the command line. */
const waysIn = ['client', 'kit', 'cli'];

const folder = (room) => `^src/(${room})/`;
/** The server and the process: above the rooms, below the ways in. */
const SERVER = '^src/[^/]+\\.ts$';

const looksDownOnly = (room, above) => ({
  name: `${room.replace('|', '-and-')}-looks-down-only`,
  comment: 'Data flows one way; a lower room never knows a higher one.',
  severity: 'error',
  from: { path: folder(room) },
  to: { path: above },
});

const oneWay = [
  ...rooms
    .slice(0, -1)
    .map((room, place) =>
      looksDownOnly(room, [...[...rooms.slice(place + 1), ...waysIn].map(folder), SERVER]),
    ),
  ...['http', ...waysIn.slice(0, -1)].map((room, place) =>
    looksDownOnly(room, waysIn.slice(place).map(folder)),
  ),
  { ...looksDownOnly('server', waysIn.map(folder)), from: { path: SERVER } },
];

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'rooms-side-by-side-do-not-meet',
      comment:
        'The ledger and the outbox, the bank and the courier, the two dialects: each pair shares nothing.',
      severity: 'error',
      from: { path: '^src/(ledger|outbox|delivery|dialects/v1|dialects/v2)/' },
      to: {
        path: '^src/(ledger|outbox|bank|delivery|dialects/v1|dialects/v2)/',
        pathNot: ['^src/$1/', '^src/outbox/', '^src/bank/inputs'],
      },
    },
    {
      name: 'a-client-knows-operations-alone',
      comment: 'A client calls a bank that may run elsewhere: it knows what is served, and not how.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/', pathNot: '^src/(client|http)/' },
    },
    {
      name: 'the-command-line-stays-on-top',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: 'node_modules/commander/' },
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
      from: { path: '^src/', pathNot: ['^src/(store|ledger|outbox)/', '^src/model/columns\\.ts$'] },
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
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true },
      to: {},
    },
    {
      name: 'nothing-undeclared',
      comment:
        'What is bundled is a development dependency; bundle.mjs looks that what is not comes with the package.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'], dependencyTypesNot: ['npm-peer'] },
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
