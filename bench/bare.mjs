/**
 * Bare Fastify's process: one route, and nothing else is imported. How soon it answers is what a start is compared with.
 * It writes its port to the file that it is given.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { fastify } from 'fastify';

const [, , file = ''] = process.argv;
const app = fastify({ logger: false });
app.get('/readyz', () => ({ status: 'ready' }));
await app.listen({ host: '127.0.0.1', port: 0 });
writeFileSync(`${file}.half`, String(app.server.address().port));
renameSync(`${file}.half`, file);
