/**
 * Reads the stream of a sandbox: server-sent events, each with a JSON value.
 */
import type { Sandbank } from '../kit/bank.ts';

export interface StreamItem {
  /** fact, attempt, request, ... */
  readonly event: string;
  readonly data: unknown;
}

/** Opens the stream; the result yields the notifications from now on, until the bank ends. */
export async function openStream({ sandbox }: Sandbank): Promise<AsyncIterable<StreamItem>> {
  return read(await sandbox.stream());
}

async function* read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamItem, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const blocks = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (.+)$/m.exec(block) ?? [];
      const [, data] = /^data: (.+)$/m.exec(block) ?? [];
      // A comment is only a keep-alive.
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}
