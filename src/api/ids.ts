/**
 * The spelling of ids in each version: v2 writes a prefix and 32 hexadecimal digits, v1 a prefix and the same 128 bits
 * as a dashed UUID. One table of prefixes and three functions are enough, because the digits are the identity and the
 * prefix only says what kind of record it is. Either version accepts either spelling, but never the prefix of another
 * kind.
 * Source: the identifier prefixes of the platform's reference; decisions `id-format` and `shared-records` in
 * docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';

interface IdFormat {
  /** The prefix that v2 writes. */
  readonly v2: string;
  /** The prefix that v1 writes. */
  readonly v1: string;
  /** Other prefixes of v1 under which the same thing may be named. */
  readonly also?: readonly string[];
}

/** Where only one version has such a record, the other's letters are those of the first. */
const ID_FORMATS = {
  /** A person or a business; v1 writes the prefix of one of the two. */
  holder: { v2: 'sah_', v1: 'per-', also: ['bus-'] },
  person: { v2: 'sah_', v1: 'per-' },
  business: { v2: 'sah_', v1: 'bus-' },
  client: { v2: 'cli_', v1: 'cli-' },
  program: { v2: 'prg_', v1: 'prg-' },
  master_account_holder: { v2: 'mah_', v1: 'mah-' },
  master_account: { v2: 'mas_', v1: 'mas-' },
  account: { v2: 'sub_', v1: 'acc-' },
  card: { v2: 'crd_', v1: 'crd-' },
  card_holder: { v2: 'cah_', v1: 'chd-' },
  counterparty: { v2: 'ctp_', v1: 'con-' },
  /** A transaction of an account; in v1 the order of the same transaction is a transfer. */
  transaction: { v2: 'txn_', v1: 'txn-', also: ['tra-'] },
  transfer: { v2: 'txn_', v1: 'tra-', also: ['txn-'] },
  batch: { v2: 'bch_', v1: 'bch-' },
  attachment: { v2: 'att_', v1: 'att-' },
  document: { v2: 'doc_', v1: 'doc-' },
  authorization: { v2: 'rta_', v1: 'car-', also: ['aar-'] },
  kyb: { v2: 'kyb_', v1: 'kyb-' },
  kyc: { v2: 'kyc_', v1: 'kyc-' },
  idv: { v2: 'idv_', v1: 'idv-' },
  member: { v2: 'mem_', v1: 'mem-' },
  family: { v2: 'fam_', v1: 'fam-' },
  shipping: { v2: 'shp_', v1: 'shp-' },
  webhook: { v2: 'whk_', v1: 'wbh-' },
  request: { v2: 'req_', v1: 'req-' },
  event: { v2: 'evt_', v1: 'evt-' },
} as const satisfies Record<string, IdFormat>;

/** What an id names. */
export type IdKind = keyof typeof ID_FORMATS;

const PREFIX_LENGTH = 4;
const HEX_LENGTH = 32;
const UUID_LENGTH = 36;
const HEX_DIGITS = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads an id of this kind in the spelling of either version; anything else is `undefined`. */
export function tryParseId(kind: IdKind, text: string): Id | undefined {
  const format: IdFormat = ID_FORMATS[kind];
  if (text.length === PREFIX_LENGTH + HEX_LENGTH) {
    if (!text.startsWith(format.v2)) return undefined;
    const suffix = text.slice(PREFIX_LENGTH);
    return HEX_DIGITS.test(suffix) ? suffix : undefined;
  }
  if (text.length !== PREFIX_LENGTH + UUID_LENGTH) return undefined;
  const prefix = text.slice(0, PREFIX_LENGTH);
  if (prefix !== format.v1 && format.also?.includes(prefix) !== true) return undefined;
  const suffix = text.slice(PREFIX_LENGTH);
  return UUID.test(suffix) ? suffix.replaceAll('-', '') : undefined;
}

/** Writes an id as v2 does, `sub_` and 32 digits; an unset id stays `''`. */
export function formatV2(kind: IdKind, id: Id | ''): string {
  return id === '' ? '' : ID_FORMATS[kind].v2 + id;
}

/** Writes an id as v1 does, `acc-` and a UUID; an unset id stays `''`. */
export function formatV1(kind: IdKind, id: Id | ''): string {
  if (id === '') return '';
  return `${ID_FORMATS[kind].v1}${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
}
