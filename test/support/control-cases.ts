/** The operations of the control plane with their examples, for tests that call each of them on more than one bank. */
import { type Reply, replyOf, type Wire } from '../../build/answers/bank.ts';
import { type CallJson, PREPARATIONS } from '../../build/answers/preparations.ts';
import { draftExample, wireOf } from '../../build/answers/requests.ts';
import type { OperationRow } from '../../src/reference/openapi/schemas.ts';
import { CONTROL_OPERATIONS } from '../../src/sandboxes/control/index.ts';
import { keyOf } from '../../src/sandboxes/registry/keys.ts';

export const CONTROL_CASES: readonly OperationRow[] = CONTROL_OPERATIONS;

/** Sends a request to a bank over its socket; of an event stream, which does not end, it reads the first two events. */
async function sendWire(url: string, { method, url: path, headers, payload }: Wire): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    headers,
    redirect: 'manual',
    ...(payload !== undefined && { body: payload as string | Uint8Array<ArrayBuffer> }),
  });
  const contentType = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  const bytes =
    contentType === 'text/event-stream'
      ? await firstEvents(response)
      : Buffer.from(await response.arrayBuffer());
  return replyOf(response.status, contentType, bytes);
}

async function firstEvents({ body }: Response): Promise<Buffer> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    if (events.length > 2) return Buffer.from(`${events.slice(0, 2).join('\n\n')}\n\n`);
  }
  return Buffer.from(text);
}

/** The example of an operation, in a sandbox of its own. */
export async function callControlCase(url: string, row: OperationRow): Promise<Reply> {
  const key = keyOf(row.id);
  const call: CallJson = async (method, path, body) => {
    const headers = {
      'api-key': key,
      'sd-api-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const reply = await sendWire(url, { method, url: path, headers, ...payload });
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${reply.bytes}`);
    return reply;
  };
  const { seeded } = (await call('GET', '/_sandbox')).body as { seeded: Record<string, string> };
  const example = draftExample(row, seeded);
  const prepared = await PREPARATIONS[row.id]?.(call, seeded);
  const reply = await sendWire(
    url,
    wireOf({
      ...example,
      ...prepared,
      params: { ...example.params, ...prepared?.params },
      headers: { 'api-key': key, ...example.headers, ...prepared?.headers },
    }),
  );
  // Other examples create the same one.
  if (row.id === 'sandbox_create_sandbox') await call('DELETE', '/_sandbox/sandboxes/spare');
  return reply;
}
