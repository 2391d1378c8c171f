/**
 * The refusals of an operation in the OpenAPI documents: by status, with the codes of the error's body and an example
 * of each. The common refusals of an operation are computed from its method, path and fields; its row lists the
 * others.
 * Source: decision `documented-refusals` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { formatRefusal as formatV1Refusal, resourceOf } from '../../bank/api/v1/errors.ts';
import { formatRefusal as formatV2Refusal } from '../../bank/api/v2/errors.ts';
import { inV2, KINDS, REFUSALS, type RefusalCode, statusOf } from '../../bank/kernel/refusals.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { formatRefusal as formatControlRefusal } from '../../sandboxes/control/errors.ts';
import type { RecordedAnswers, RecordedOperation } from './answers.ts';
import type { ApiDocument, FormatExample, Json, OperationRow } from './schemas.ts';

/** A sample request. */
const SAMPLE: { requestId: Id; programId: Id; clientId: Id; now: number } = {
  requestId: '0193a5c0b8007a3e9c4d5e6f70819203',
  programId: '0193a5c0b8007a3e9c4d5e6f70819204',
  clientId: '0193a5c0b8007a3e9c4d5e6f70819205',
  now: Date.UTC(2026, 10, 20, 18),
};

export const formatV2Example: FormatExample = (refusal, { method }) =>
  formatV2Refusal(refusal, { ...SAMPLE, method }).body;
export const formatV1Example: FormatExample = (refusal, { method, path }) =>
  formatV1Refusal(refusal, { ...SAMPLE, method, resource: resourceOf(path) }).body;
export const formatControlExample: FormatExample = (refusal) => formatControlRefusal(refusal);

/** The refusals of a body, even for operations without one. */
const OF_COMMANDS: readonly RefusalCode[] = [
  'body_malformed',
  'body_unreadable',
  'body_too_large',
  'media_unsupported',
];
const OF_BODIES: readonly RefusalCode[] = ['body_missing', 'field_invalid'];
/** The refusals of `sd-person-id` in v1. */
const OF_PERSON: readonly RefusalCode[] = ['person_header_missing', 'holder_not_found'];

/** The refusals of an idempotency key in v2. */
const OF_KEYED: readonly RefusalCode[] = ['idempotency_key_reused', 'idempotency_key_too_long'];

const OF_KEYS: readonly RefusalCode[] = ['key_missing', 'key_unknown'];
const OF_SANDBOXES: readonly RefusalCode[] = [
  'sandboxes_full',
  'sandbox_damaged',
  'sandboxes_busy',
  'data_not_written',
];

const OF_INTERFACE: Readonly<Record<ApiDocument['name'], readonly RefusalCode[]>> = {
  v2: [...OF_KEYS, 'field_unknown', 'rate_limited', 'headers_too_large', ...OF_SANDBOXES, 'failure'],
  v1: [...OF_KEYS, 'field_unknown', 'rate_limited', 'headers_too_large', ...OF_SANDBOXES, 'failure'],
  sandbox: [
    'control_token_wrong',
    'host_foreign',
    'origin_foreign',
    'sandbox_not_found',
    'headers_too_large',
    ...OF_SANDBOXES,
    'failure',
  ],
};

/** The refusals of fields and path parameters, by name. */
export const OF_FIELDS: Readonly<Record<string, readonly RefusalCode[]>> = {
  accountId: ['account_not_found'],
  sub_account_id: ['account_not_found'],
  contactId: ['counterparty_not_found'],
  counterparty_id: ['counterparty_not_found'],
  cardId: ['card_not_found'],
  card_id: ['card_not_found'],
  card_holder_id: ['card_holder_not_found'],
  personId: ['holder_not_found'],
  businessId: ['holder_not_found'],
  sub_account_holder_id: ['holder_not_found'],
  familyId: ['family_not_found'],
  walletId: ['wallet_not_found'],
  memberId: ['member_not_found'],
  documentId: ['document_not_found'],
  transaction_id: ['transaction_not_found'],
  txnId: ['transaction_not_found'],
  parentTxnId: ['transaction_not_found', 'parent_missing', 'parent_wrong'],
  parent_transaction_id: ['transaction_not_found', 'parent_missing', 'parent_wrong'],
  transferId: ['transfer_not_found'],
  webhookId: ['webhook_not_found'],
  webhook_id: ['webhook_not_found'],
  attachment_id: ['attachment_not_found'],
  programId: ['program_not_found'],
  master_account_id: ['master_account_not_found'],
  amount: ['amount_invalid', 'amount_too_large'],
  id_number: ['id_number_taken'],
  idNumber: ['id_number_taken'],
  ownership: ['ownership_exceeded'],
  phone: ['phone_invalid'],
  metadata: ['metadata_too_large'],
  events: ['event_unknown'],
  intra_account: ['intra_account_unknown', 'intra_account_own'],
  intrabank: ['intra_account_unknown', 'intra_account_own'],
};

/** The names of all fields of a shape, including those of nested objects and lists. */
function fieldsOf(shape: TSchema | undefined): string[] {
  if (shape === undefined) return [];
  const branches = [shape, ...((shape.anyOf as TSchema[] | undefined) ?? [])];
  return branches.flatMap(({ properties = {}, items }) => [
    ...Object.keys(properties as object),
    ...Object.values(properties as Record<string, TSchema>).flatMap(fieldsOf),
    ...fieldsOf(items as TSchema | undefined),
  ]);
}

/** The refusals of the rules of shapes that have a code of their own; in v1 they have the code of an invalid field. */
function rulesOf(...shapes: readonly (TSchema | undefined)[]): RefusalCode[] {
  const text = JSON.stringify(shapes);
  return [
    ...(text.includes('"required":[') ? (['field_missing'] as const) : []),
    ...(text.includes('"maxLength":') ? (['field_too_long'] as const) : []),
    ...(text.includes('"minLength":') ? (['field_too_short'] as const) : []),
    ...(text.includes('\\\\.\\\\d{2}') ? (['amount_malformed'] as const) : []),
  ];
}

/** The HTTP status of a refusal in an interface. */
export function statusIn(name: ApiDocument['name'], code: RefusalCode): number {
  return name === 'v2' ? inV2(code).status : statusOf(code);
}

/** Every refusal that an operation can give. */
export function refusalCodesOf(name: ApiDocument['name'], row: OperationRow): RefusalCode[] {
  const { method, path, body, bodyType, files, query, tokenHeader, refuses = [] } = row;
  const takesBody = body !== undefined || bodyType !== undefined || files !== undefined;
  const isCommand = method === 'POST' || method === 'PATCH';
  const isByPerson = name === 'v1' && tokenHeader === undefined;
  const needsNoPerson = path.startsWith('/v1/webhook');
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, part = '']) => part);
  return [
    ...new Set<RefusalCode>([
      ...OF_INTERFACE[name],
      ...(tokenHeader === undefined ? [] : (['token_invalid'] as const)),
      ...(takesBody || isCommand ? OF_COMMANDS : []),
      ...(takesBody ? OF_BODIES : []),
      ...(name === 'v1' ? [] : rulesOf(body, query)),
      ...(query === undefined ? [] : (['field_invalid'] as const)),
      ...(fieldsOf(query).includes('starting_after') ? (['cursor_invalid'] as const) : []),
      ...(isByPerson && !needsNoPerson ? OF_PERSON : []),
      ...(isByPerson ? (['holder_not_found'] as const) : []),
      // The platform documents this error, but in this bank only a fault causes it.
      ...(isCommand && name !== 'sandbox' ? (['write_conflict', 'idempotency_key_in_use'] as const) : []),
      ...(isCommand && name === 'v2' ? OF_KEYED : []),
      // A body is read even if the operation takes none.
      ...(name === 'sandbox' && method !== 'GET' ? (['body_malformed', 'field_unknown'] as const) : []),
      ...(name === 'sandbox'
        ? []
        : [...inPath, ...fieldsOf(body)].flatMap((field) => OF_FIELDS[field] ?? [])),
      ...refuses,
    ]),
  ];
}

/** The refusals of all operations. */
const COMMON = new Set<RefusalCode>([
  ...Object.values(OF_INTERFACE).flat(),
  ...OF_COMMANDS,
  ...OF_BODIES,
  ...OF_PERSON,
  ...OF_KEYED,
  'idempotency_key_in_use',
  'cursor_invalid',
  'write_conflict',
  'field_missing',
  'field_too_long',
  'field_too_short',
  'amount_malformed',
]);

/** The refusals of an operation beyond the common ones. */
export function ownCodesOf(name: ApiDocument['name'], row: OperationRow): RefusalCode[] {
  const inPath = name === 'v1' && /:(personId|businessId)/.test(row.path) ? ['holder_not_found'] : [];
  return refusalCodesOf(name, row).filter(
    (code) => !COMMON.has(code) || row.refuses?.includes(code) === true || inPath.includes(code),
  );
}

/** The error responses of an operation by status, with the recorded body of each code. */
export function refusalsOf(
  { name }: ApiDocument,
  row: OperationRow,
  recorded: RecordedOperation | undefined,
): Json {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of refusalCodesOf(name, row)) {
    const status = statusIn(name, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const reference = (code: RefusalCode) => ({ $ref: `#/components/examples/${recorded?.refusals?.[code]}` });
  return Object.fromEntries(
    [...byStatus]
      .sort(([left], [right]) => left - right)
      .map(([status, codes]) => {
        const [first] = codes;
        const examples = Object.fromEntries(codes.map((code) => [code, reference(code)]));
        return [
          String(status),
          {
            description: first === undefined ? '' : KINDS[REFUSALS[first].kind].words,
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples },
            },
          },
        ];
      }),
  );
}

/** The recorded error bodies, to which operations refer by name. */
export function refusalExamples({ refusals }: RecordedAnswers): Json {
  return Object.fromEntries(
    Object.entries(refusals).map(([name, value]) => {
      const code = name.split('.', 1)[0] as RefusalCode;
      return [name, { summary: REFUSALS[code].message, value }];
    }),
  );
}
