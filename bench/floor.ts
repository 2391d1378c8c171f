/**
 * The floor: the speed of Fastify alone with the same requests on this machine at this moment. It validates the same
 * body and writes the same record with the same response schema, without bank, keys and log. The parent process sends
 * it the records, which are a real bank's answers, and gets the port.
 */
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { CASES } from './cases.ts';

/** The constant answer of each case, by name. */
export type Answers = Readonly<Record<string, unknown>>;

async function serve(answers: Answers): Promise<number> {
  // Schemas have keywords for the documents that Ajv's strict mode refuses.
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
