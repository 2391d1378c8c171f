/** The formats of ids in v2 and v1: both parse to the same id, and never to an id of another kind. */
import { describe, expect, it } from 'vitest';
import type { NamedKind } from '../../../../src/bank/api/fields.ts';
import { formatV1, formatV2, type IdKind, tryParseId } from '../../../../src/bank/api/ids.ts';
import { formatId, parseId } from '../../../../src/bank/api/v2/fields.ts';
import { Refusal } from '../../../../src/bank/kernel/refusal.ts';

const DIGITS = '0199a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const UUID = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

const SPELLINGS: [IdKind, string, string[]][] = [
  ['holder', 'sah_', ['per-', 'bus-']],
  ['person', 'sah_', ['per-']],
  ['business', 'sah_', ['bus-']],
  ['client', 'cli_', []],
  ['program', 'prg_', ['prg-']],
  ['master_account_holder', 'mah_', []],
  ['master_account', 'mas_', []],
  ['account', 'sub_', ['acc-']],
  ['card', 'crd_', ['crd-']],
  ['card_holder', 'cah_', ['chd-']],
  ['counterparty', 'ctp_', ['con-']],
  ['transaction', 'txn_', ['txn-', 'tra-']],
  ['transfer', 'txn_', ['tra-', 'txn-']],
  ['attachment', 'att_', []],
  ['document', 'doc_', ['doc-']],
  ['authorization', 'rta_', ['car-', 'aar-']],
  ['kyb', 'kyb_', ['kyb-']],
  ['kyc', 'kyc_', ['kyc-']],
  ['idv', 'idv_', ['idv-']],
  ['member', 'mem_', ['mem-']],
  ['webhook', 'whk_', ['wbh-']],
  ['request', 'req_', ['req-']],
  ['event', 'evt_', []],
];

describe('an id', () => {
  it.each(SPELLINGS)('of a %s has the prefix %s and 32 digits in v2', (kind, prefix) => {
    expect(formatId(kind, DIGITS)).toBe(prefix + DIGITS);
  });

  it.each(SPELLINGS)('of a %s is accepted in both spellings', (kind, prefix, prefixesV1) => {
    expect(tryParseId(kind, prefix + DIGITS)).toBe(DIGITS);
    for (const prefixV1 of prefixesV1) expect(tryParseId(kind, prefixV1 + UUID)).toBe(DIGITS);
  });

  it.each(SPELLINGS)('of a %s is the same after formatting and parsing in v1', (kind) => {
    expect(tryParseId(kind, formatV1(kind, DIGITS))).toBe(DIGITS);
  });

  it('has dashes in v1', () => {
    expect(formatV1('account', DIGITS)).toBe(`acc-${UUID}`);
    expect(formatV1('business', DIGITS)).toBe(`bus-${UUID}`);
    expect(formatV1('transfer', DIGITS)).toBe(`tra-${UUID}`);
  });

  it('that is not set is an empty string in both versions', () => {
    expect(formatV1('account', '')).toBe('');
    expect(formatV2('account', '')).toBe('');
  });

  it.each([
    ['the prefix of another kind', `crd_${DIGITS}`],
    ['no prefix', DIGITS],
    ['the prefix of v2 before dashes', `sub_${UUID}`],
    ['the prefix of v1 before bare digits', `acc-${DIGITS}`],
    ['a missing digit', `sub_${DIGITS.slice(1)}`],
    ['an additional digit', `sub_${DIGITS}0`],
    ['upper-case digits', `sub_${DIGITS.toUpperCase()}`],
    ['letters other than hexadecimal digits', `sub_${'g'.repeat(32)}`],
    ['dashes in other places', `acc-0199a1b2c-3d4-7e5f-8a9b-0c1d2e3f4a5b`],
    ['nothing', ''],
  ])('with %s identifies no account', (_what, text) => {
    expect(tryParseId('account', text)).toBeUndefined();
  });
});

describe('a request that contains an id', () => {
  const refusals: [NamedKind, string][] = [
    ['master_account', 'master_account_not_found'],
    ['holder', 'holder_not_found'],
    ['account', 'account_not_found'],
    ['card_holder', 'card_holder_not_found'],
    ['card', 'card_not_found'],
    ['counterparty', 'counterparty_not_found'],
    ['transaction', 'transaction_not_found'],
    ['webhook', 'webhook_not_found'],
  ];

  it.each(refusals)('that is not an id of a %s is refused with %s', (kind, code) => {
    expect(() => parseId(kind, 'nonsense')).toThrow(expect.objectContaining({ code }));
    expect(() => parseId(kind, 'nonsense')).toThrow(Refusal);
  });

  it('finds the same record in both spellings', () => {
    expect(parseId('account', `sub_${DIGITS}`)).toBe(parseId('account', `acc-${UUID}`));
  });
});
