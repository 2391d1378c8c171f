/**
 * The rooms of the house and who may look into whom (docs/architecture.md). A room sees those before it, never after.
 */
const rooms = ['kernel', 'model', 'store', 'ledger|outbox', 'bank|delivery', 'dialects', 'sandboxes', 'http'];

const folder = (room) => `^src/(${room})/`;

const oneWay = rooms.slice(0, -1).map((room, place) => ({
  name: `${room.replace('|', '-and-')}-looks-down-only`,
  comment: 'Data flows one way; a lower room never knows a higher one.',
  severity: 'error',
  from: { path: folder(room) },
  to: { path: [...rooms.slice(place + 1).map(folder), '^src/[^/]+\\.ts$'] },
}));

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
      name: 'http-stays-above',
      comment: 'Only http and the server itself know Fastify.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/http/', '^src/app\\.ts$'] },
      to: { path: 'node_modules/fastify/' },
    },
    {
      name: 'sql-stays-below',
      comment: 'Only the store, the ledger and the outbox know SQL.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(store|ledger|outbox)/'] },
      to: { path: 'node_modules/(drizzle-orm|better-sqlite3)/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['^src/healthcheck\\.ts$'] },
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
