/**
 * Reads what happens in a sandbox, as the bank streams it: server-sent events, each with a JSON value.
 */
import type { Sandbank } from '../kit/bank.ts';
import { CommandError } from './bank.ts';

export interface StreamItem {
  /** fact, attempt, request, ... */
  readonly event: string;
  readonly data: unknown;
}

/** Opens the stream; what is told from now on is read from the answer, until the bank ends. */
export async function openStream(bank: Sandbank): Promise<AsyncIterable<StreamItem>> {
  const answer = await bank.fetch('/_sandbox/stream');
  if (!answer.ok || answer.body === null) {
    throw new CommandError(`GET /_sandbox/stream: ${answer.status} ${await answer.text()}`);
  }
  return read(answer.body.pipeThrough(new TextDecoderStream()));
}

async function* read(texts: AsyncIterable<string>): AsyncGenerator<StreamItem, void, undefined> {
  let rest = '';
  for await (const text of texts) {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event] = /^event: (.+)$/m.exec(block) ?? [];
      const [, data] = /^data: (.+)$/m.exec(block) ?? [];
      // A comment shows only that the bank is still there.
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}
