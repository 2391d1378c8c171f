/**
 * Changes of an operation's example that cause each refusal, by code, tried one after the other. For a code without a
 * row, the request is sent twice, or a fault is used.
 */

import type { RefusalCode } from '../../src/bank/kernel/refusals.ts';
import { OF_FIELDS } from '../../src/reference/openapi/refusals.ts';
import { CONTROL_TOKEN } from './bank.ts';
import type { Draft } from './requests.ts';

/** Changes an example; `seeded` are the ids of the seeded records by name. */
type Provoke = (draft: Draft, seeded: Readonly<Record<string, string>>) => readonly Draft[];

/** An unknown id of the same form. */
const unknownId = (id: string): string => id.replace(/[0-9a-f]{12}$/, '000000000000');

const withBody = (draft: Draft, body: object): Draft => ({
  ...draft,
  body: body as Record<string, unknown>,
});
const withHeaders = (draft: Draft, headers: Record<string, string>): Draft => ({
  ...draft,
  headers: { ...draft.headers, ...headers },
});
const takesJson = ({ row }: Draft): boolean =>
  row.files === undefined && row.bodyType === undefined && row.method !== 'GET' && row.method !== 'DELETE';

/** All variants of the body with one value of this name replaced. */
function replaced(value: unknown, name: string, change: (value: unknown) => unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => replaced(item, name, change).map((other) => value.with(at, other)));
  }
  if (value === null || typeof value !== 'object') return [];
  const fields = value as Record<string, unknown>;
  return Object.entries(fields).flatMap(([key, inner]) => [
    ...(key === name ? [{ ...fields, [key]: change(inner) }] : []),
    ...replaced(inner, name, change).map((other) => ({ ...fields, [key]: other })),
  ]);
}

/** Replaces a field of the body. */
const field =
  (name: string, change: (value: unknown) => unknown): Provoke =>
  (draft) =>
    replaced(draft.body, name, change).map((body) => withBody(draft, body as object));

const fields =
  (...changes: Provoke[]): Provoke =>
  (draft, seeded) =>
    changes.flatMap((change) => change(draft, seeded));

/** Uses an unknown id in the path or in the body. */
const unknownRecord =
  (code: RefusalCode): Provoke =>
  (draft) => {
    const inPath = Object.entries(draft.params).flatMap(([name, part]) =>
      [unknownId(part), 'unknown'].map((id) => ({ ...draft, params: { ...draft.params, [name]: id } })),
    );
    const named = Object.entries(OF_FIELDS).filter(([, codes]) => codes.includes(code));
    const inBody = named.flatMap(([name]) =>
      [(id: unknown) => unknownId(String(id)), () => 'unknown'].flatMap((change) =>
        field(name, change)(draft, {}),
      ),
    );
    const unknown = `${UNKNOWN_IDS[code]}_00000000000070008200000000000000`;
    const ofAnyKind = ['reference_id', 'id', 'webhook_id'].flatMap((name) => [
      ...field(name, () => unknown)(draft, {}),
      ...(name in draft.params ? [{ ...draft, params: { ...draft.params, [name]: unknown } }] : []),
    ]);
    const webhook =
      code === 'webhook_not_found' ? [withBody(draft, { ...draft.body, webhook_id: unknown })] : [];
    return [...inPath, ...inBody, ...ofAnyKind, ...webhook];
  };

/** A value of the wrong type. */
const wrongValue = (value: unknown): unknown => (typeof value === 'string' ? { wrong: value } : 'wrong');

const wrongField: Provoke = (draft) => {
  const { body = {}, query, row } = draft;
  const inBody = Object.keys(body).map((name) =>
    withBody(draft, { ...body, [name]: wrongValue(body[name]) }),
  );
  const names = new Set([...Object.keys(query), ...Object.keys(row.query?.properties ?? {})]);
  const inQuery = [...names].map((name) => ({ ...draft, query: { ...query, [name]: '~' } }));
  const inPath = Object.keys(draft.params).map((name) => ({
    ...draft,
    params: { ...draft.params, [name]: '~' },
  }));
  return [...inBody, ...inQuery, ...inPath];
};

/** Unique values of seeded records. */
const TAKEN = {
  phone: '+15035550101',
  idNumbers: { person: '312345678', business: '871230046' },
};

/** An unknown id of each kind, for a field that accepts several kinds. */
const UNKNOWN_IDS: Readonly<Partial<Record<RefusalCode, string>>> = {
  account_not_found: 'sub',
  holder_not_found: 'sah',
  master_account_not_found: 'mas',
  card_not_found: 'crd',
  card_holder_not_found: 'cah',
  counterparty_not_found: 'ctp',
  transaction_not_found: 'txn',
  batch_not_found: 'bch',
  webhook_not_found: 'whk',
};

const manyKeys = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`key${n + 1}`, 'x']));

const PROVOCATIONS: Readonly<Partial<Record<RefusalCode, Provoke>>> = {
  key_missing: (draft) => [withHeaders(draft, { 'api-key': '', 'sd-api-key': '' })],
  key_unknown: (draft) => [withHeaders(draft, { 'api-key': 'live_key', 'sd-api-key': 'live_key' })],
  token_invalid: (draft) => [withHeaders(draft, { [draft.row.tokenHeader ?? 'authorization']: 'unknown' })],
  body_malformed: (draft) => (takesJson(draft) ? [{ ...draft, payload: '{"amount": ' }] : []),
  body_missing: (draft) =>
    takesJson(draft)
      ? [
          { ...draft, body: undefined },
          { ...draft, payload: 'null' },
          { ...draft, payload: '[]' },
        ]
      : [],
  body_too_large: (draft) => [
    { ...draft, payload: `{"description": "${'x'.repeat(2000)}"}`, setup: 'small' },
  ],
  media_unsupported: (draft) => [
    withHeaders({ ...draft, payload: 'amount=1.00' }, { 'content-type': 'text/plain' }),
  ],
  field_invalid: wrongField,
  field_missing: (draft) =>
    Object.keys(draft.body ?? {}).map((name) => withBody(draft, { ...draft.body, [name]: undefined })),
  field_too_long: (draft) =>
    Object.keys(draft.body ?? {}).map((name) =>
      withBody(draft, { ...draft.body, [name]: 'x'.repeat(20_001) }),
    ),
  amount_malformed: field('amount', () => 'ten'),
  idempotency_key_too_long: (draft) => [withHeaders(draft, { 'idempotency-key': 'k'.repeat(256) })],
  field_unknown: (draft) => [
    { ...withBody(draft, { ...draft.body, colour: 'green' }), setup: 'strict' },
    { ...draft, query: { ...draft.query, colour: 'green' }, setup: 'strict' },
  ],
  cursor_invalid: (draft) => [{ ...draft, query: { ...draft.query, starting_after: 'unknown' } }],
  person_header_missing: (draft) => [{ ...withHeaders(draft, { 'sd-person-id': '' }), setup: 'strict' }],
  holder_not_found: fields(unknownRecord('holder_not_found'), (draft) => [
    withHeaders(draft, { 'sd-person-id': 'per-00000000-0000-0000-0000-000000000000' }),
  ]),
  amount_invalid: fields(
    field('amount', () => '0.00'),
    field('amount', () => '-1.00'),
  ),
  amount_too_large: fields(
    field('amount', () => '90000000000000.00'),
    field('amount', () => '9000000000000.00'),
    field('amount', () => '90071992547409.00'),
  ),
  insufficient_funds: field('amount', () => '9000000.00'),
  limit_exceeded: field('amount', () => '900000.00'),
  card_reason_wrong: field('reason', () => 'damaged'),
  card_details_mismatch: field('last4', () => '0000'),
  phone_invalid: field('phone', () => '5035550123'),
  phone_taken: field('phone', () => TAKEN.phone),
  id_number_taken: fields(
    ...Object.values(TAKEN.idNumbers).flatMap((number) => [
      field('id_number', () => number),
      field('idNumber', () => number),
    ]),
  ),
  intra_account_unknown: (draft) => [
    withBody(draft, { ...draft.body, intra_account: { sub_account_number: '9500000000000000' } }),
    withBody(draft, { ...draft.body, intrabank: { accountNumber: '9500000000000000' } }),
  ],
  intra_account_own: (draft, { sub_account_id, account_id }) => [
    withBody(draft, { ...draft.body, intra_account: { sub_account_id } }),
    withBody(draft, { ...draft.body, intrabank: { accountId: account_id } }),
  ],
  card_controls_both: (draft) => {
    const both = { categories: ['5812'] };
    return [withBody(draft, { ...draft.body, controls: { allowed: both, blocked: both } })];
  },
  metadata_too_large: field('metadata', () => manyKeys),
  event_unknown: (draft, seeded) => [
    ...field('events', () => ['account.opened'])(draft, seeded),
    ...field('type', () => 'account.opened')(draft, seeded),
    { ...draft, query: { ...draft.query, type: 'account.opened' } },
  ],
  url_invalid: field('url', () => 'hooks.example'),
  ownership_exceeded: field('ownership', () => '100.00'),
  counterparty_elsewhere: fields(
    (draft, { other_sub_account_id }) => field('sub_account_id', () => other_sub_account_id)(draft, {}),
    (draft, { other_account_id }) => field('accountId', () => other_account_id)(draft, {}),
  ),
  // The control plane.
  control_token_wrong: (draft) => [
    { ...withHeaders(draft, { 'x-control-token': `not-${CONTROL_TOKEN}` }), setup: 'guarded' },
  ],
  host_foreign: (draft) => [withHeaders(draft, { host: 'bank.example' })],
  origin_foreign: (draft) => [withHeaders(draft, { origin: 'https://page.example' })],
  sandbox_not_found: (draft) => [
    withHeaders(draft, { 'api-key': 'live_key' }),
    { ...draft, params: { ...draft.params, name: 'unknown' } },
  ],
  fault_not_found: (draft) => [{ ...draft, params: { id: 'unknown' } }],
  event_not_found: (draft) => [{ ...draft, params: { id: 'evt_00000000000070008200000000000000' } }],
  request_not_found: (draft) => [{ ...draft, params: { id: 'req_00000000000000000000000000000000' } }],
  snapshot_not_found: (draft) => [{ ...draft, params: { ...draft.params, name: 'unknown' } }],
  image_invalid: (draft) => [{ ...draft, payload: 'no database' }],
};

/** The changes of an example that may cause this refusal. */
export function provocationsOf(
  code: RefusalCode,
  draft: Draft,
  seeded: Readonly<Record<string, string>>,
): readonly Draft[] {
  return (PROVOCATIONS[code] ?? unknownRecord(code))(draft, seeded);
}
