/** The activity as a file: JSON as the bank lists it, or the requests as HAR, which browsers and proxies read. */
import { client } from './bank.ts';
import { harEntry } from './har.ts';
import type { Item } from './stream.ts';

const save = (name: string, type: string, value: unknown): void =>
  download(name, new Blob([`${JSON.stringify(value, null, 2)}\n`], { type }));

/** Hands a file to the reader. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

export async function exportJson(items: readonly Item[]): Promise<void> {
  save(
    'sandbank-activity.json',
    'application/json',
    items.map(({ number: _, bank: __, ...item }) => item),
  );
}

export async function exportHar(): Promise<void> {
  const { requests } = await client.value.sandbox.listRequests({ query: { limit: '1000' } });
  const entries = requests.toReversed().map((request) => harEntry(request, location.origin));
  const creator = { name: 'Sandbank', version: '1' };
  save('sandbank.har', 'application/json', { log: { version: '1.2', creator, entries } });
}
