/**
 * The floor: what Fastify alone can do with the same requests on this machine at this moment. It validates the same
 * body, writes the same record by the same response schema, and has no bank, no keys and no log. The records are a
 * real bank's answers, handed over by the parent process, which gets the port in return.
 */
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { CASES } from './cases.ts';

/** Each case's constant answer, by the case's name. */
export type Answers = Readonly<Record<string, unknown>>;

async function serve(answers: Answers): Promise<number> {
  // Schemas have words for the documents, which Ajv's strict mode does not know.
  const app = fastify({ logger: false, ajv: { customOptions: { strict: false } } });
  for (const { name, operation } of CASES) {
    const { method, path, status, body, response } = operation;
    const answer = answers[name];
    if (answer === undefined) continue;
    app.route({
      method,
      url: path,
      schema: { ...(body !== undefined && { body }), response: { [status]: response } },
      handler: (_, reply) => {
        reply.code(status).send(answer);
      },
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

process.on('message', async (answers: Answers) => process.send?.(await serve(answers)));
