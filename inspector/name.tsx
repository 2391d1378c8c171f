/** Names of accounts, cards and webhooks, shown instead of their ids. Each is loaded when it is first shown. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Client } from '../src/kit/client/client.ts';
import { client } from './bank.ts';
import { ANY_ID, Id, viewOf, When } from './parts.tsx';

const names = signal<ReadonlyMap<string, string>>(new Map());
const loading = new Set<string>();

type Read = (bank: Client, id: string) => Promise<string>;

const ofAccount: Read = async ({ v2 }, id) => {
  const { label, sub_account_holder_name: holder } = await v2.retrieveSubAccount({
    params: { sub_account_id: id },
  });
  return [label || 'Account', holder].filter(Boolean).join(' · ');
};
const ofCard: Read = async ({ v2 }, id) => {
  const { label, last4 } = await v2.retrieveCard({ params: { card_id: id } });
  return `${label || 'Card'} •••• ${last4}`;
};
const ofWebhook: Read = async ({ sandbox }, id) => {
  const { webhooks } = await sandbox.listWebhooks();
  const webhook = webhooks.find((one) => one.id === id);
  return webhook === undefined ? '' : webhook.receiver ? 'built-in receiver' : webhook.url;
};

/** The function that loads the name of a record, by the prefix of its id. */
const READERS: Readonly<Record<string, Read>> = {
  sub: ofAccount,
  crd: ofCard,
  mas: async () => 'Master account',
  whk: ofWebhook,
  wbh: ofWebhook,
};

async function load(id: string): Promise<void> {
  const read = READERS[id.slice(0, 3)];
  if (read === undefined || loading.has(id)) return;
  loading.add(id);
  // If the name cannot be read, the id is shown.
  const name = await read(client.value, id).catch(() => '');
  if (name !== '') names.value = new Map([...names.value, [id, name]]);
}

const IDS_IN_TEXT = /\b([a-z]{3}[_-][0-9a-f][0-9a-f-]{20,})\b/;

const INSTANTS_IN_TEXT = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;
/** What the bank adds to an instant for readers of plain text. */
const IN_NEW_YORK = / \([A-Z]\w\w \d\d:\d\d in New York\)/g;
const INSTANT = new RegExp(`^${INSTANTS_IN_TEXT.source}$`);

/** A sentence of the bank, with links for its ids, and its instants with the time of New York. */
export function Sentence({ text }: { text: string }) {
  const shown = (part: string) => {
    if (INSTANT.test(part)) return <When key={part} at={part} isLong />;
    return ANY_ID.test(part) ? <Name key={part} id={part} /> : part;
  };
  return (
    <>
      {text
        .replaceAll(IN_NEW_YORK, '')
        .split(INSTANTS_IN_TEXT)
        .flatMap((part) => (INSTANT.test(part) ? [part] : part.split(IDS_IN_TEXT)))
        .map(shown)}
    </>
  );
}

/** What the bank says of a record, which begins with its status. */
export function Summary({ text }: { text: string }) {
  return (
    <p class="lead">
      <Sentence text={text.replace(/^\w+/, (status) => status.replaceAll('_', ' '))} />
    </p>
  );
}

/** The name of a record as a link to it, with the id as its title; the id until the name is known. */
export function Name({ id }: { id: string }) {
  useEffect(() => void load(id), [id]);
  const name = names.value.get(id);
  const view = viewOf(id);
  if (name === undefined || view === undefined) return id === 'suspense' ? <span>{id}</span> : <Id id={id} />;
  return (
    <Link href={view} title={id}>
      {name}
    </Link>
  );
}
