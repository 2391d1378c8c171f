/**
 * The process of bare Fastify: one route and no other imports. The start of a bank is compared with the time to its
 * first answer. It writes its port to a file.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { fastify } from 'fastify';

const [, , file = ''] = process.argv;
const app = fastify({ logger: false });
app.get('/readyz', () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: 0 });
writeFileSync(`${file}.half`, String(app.server.address().port));
renameSync(`${file}.half`, file);
