/**
 * The kinds of v2 that nothing here brings about, because they tell of the platform's own side: the client, its members,
 * the holder of the master account, and the master account, none of which ever changes here. A webhook may subscribe to
 * them and be sent an example.
 * Source: rows 207 and 261 of docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { HOLDER_STATUSES } from '../../model/vocabulary.ts';
import { IdText, record, Text, Time, word } from './shapes/fields.ts';

const STATUS = {
  status: word(HOLDER_STATUSES),
  timestamps: record('PartyTimestamps', 'When it was made, changed and deactivated.', {
    created_at: Time,
    updated_at: Time,
    deactivated_at: Time,
  }),
};

/** The platform publishes no record of these three. */
export const Client = record('Client', 'The client of the platform.', { id: IdText, name: Text, ...STATUS });
export const ClientMember = record('ClientMember', 'A member of the client.', {
  id: IdText,
  client_id: IdText,
  name: Text,
  ...STATUS,
});
export const MasterAccountHolder = record('MasterAccountHolder', 'Who holds the master account.', {
  id: IdText,
  client_id: IdText,
  name: Text,
  ...STATUS,
});

type Ids = Readonly<Record<'client_id' | 'master_account_holder_id', string>>;

/** The nouns of these kinds: their shape, and an example that was made at `at`. */
export const UNSERVED_NOUNS: Readonly<
  Record<string, { shape: TSchema; example: (ids: Ids, at: string) => Record<string, unknown> }>
> = {
  client: {
    shape: Client,
    example: ({ client_id }, at) => ({ id: client_id, name: 'Sandbank Demo', ...activated(at) }),
  },
  client_member: {
    shape: ClientMember,
    example: ({ client_id }, at) => ({
      id: client_id.replace('cli_', 'mem_'),
      client_id,
      name: 'Mara Quill',
      ...activated(at),
    }),
  },
  master_account_holder: {
    shape: MasterAccountHolder,
    example: ({ client_id, master_account_holder_id: id }, at) => ({
      id,
      client_id,
      name: 'Sandbank Demo',
      ...activated(at),
    }),
  },
};

const activated = (at: string) => ({
  status: 'activated',
  timestamps: { created_at: at, updated_at: at, deactivated_at: '' },
});
