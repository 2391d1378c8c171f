/**
 * The format of ids in each version: v2 uses a prefix and 32 hexadecimal digits, v1 a prefix and the same 128 bits as a
 * dashed UUID. The digits identify the record, and the prefix only names its kind, so one table of prefixes and three
 * functions are enough. Each version accepts both formats, but not the prefix of another kind.
 * Source: the identifier prefixes of the platform's reference; decisions `id-format` and `shared-records` in
 * docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';

interface IdFormat {
  /** The prefix in v2. */
  readonly v2: string;
  /** The prefix in v1. */
  readonly v1: string;
  /** Further prefixes that v1 accepts for the same record. */
  readonly also?: readonly string[];
}

/** If only one version has this kind of record, both versions use its prefix. */
const ID_FORMATS = {
  /** A person or a business; v1 has a prefix for each of the two. */
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
  /** A transaction of an account; v1 shows the client's request for it as a transfer. */
  transaction: { v2: 'txn_', v1: 'txn-', also: ['tra-'] },
  transfer: { v2: 'txn_', v1: 'tra-', also: ['txn-'] },
  chargeback: { v2: 'chb_', v1: 'chb-' },
  batch: { v2: 'bch_', v1: 'bch-' },
  attachment: { v2: 'att_', v1: 'att-' },
  document: { v2: 'doc_', v1: 'doc-' },
  authorization: { v2: 'rta_', v1: 'car-', also: ['aar-'] },
  kyb: { v2: 'kyb_', v1: 'kyb-' },
  kyc: { v2: 'kyc_', v1: 'kyc-' },
  idv: { v2: 'idv_', v1: 'idv-' },
  member: { v2: 'mem_', v1: 'mem-' },
  family: { v2: 'fam_', v1: 'fam-' },
  wallet: { v2: 'cpw_', v1: 'cpw-' },
  shipping: { v2: 'shp_', v1: 'shp-' },
  webhook: { v2: 'whk_', v1: 'wbh-' },
  request: { v2: 'req_', v1: 'req-' },
  event: { v2: 'evt_', v1: 'evt-' },
} as const satisfies Record<string, IdFormat>;

/** The kinds of records with ids. */
export type IdKind = keyof typeof ID_FORMATS;

const PREFIX_LENGTH = 4;
const HEX_LENGTH = 32;
const UUID_LENGTH = 36;
const HEX_DIGITS = /^[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Parses an id of this kind in the format of either version; returns `undefined` for anything else. */
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

/** Formats an id for v2: `sub_` and 32 digits; an unset id stays `''`. */
export function formatV2(kind: IdKind, id: Id | ''): string {
  return id === '' ? '' : ID_FORMATS[kind].v2 + id;
}

/** Formats an id for v1: `acc-` and a UUID; an unset id stays `''`. */
export function formatV1(kind: IdKind, id: Id | ''): string {
  if (id === '') return '';
  return `${ID_FORMATS[kind].v1}${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
}
