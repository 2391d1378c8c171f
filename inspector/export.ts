/** Exports the activity: as JSON in the format of the bank, or its requests as HAR for browsers and proxies. */
import { client } from './bank.ts';
import { harEntry } from './har.ts';
import type { Item } from './stream.ts';

const save = (name: string, type: string, value: unknown): void =>
  download(name, new Blob([`${JSON.stringify(value, null, 2)}\n`], { type }));

/** Downloads a file. */
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
