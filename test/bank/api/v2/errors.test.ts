/** The error envelope of v2: its shape, the published codes and messages, and the names of fields. */
import { describe, expect, it } from 'vitest';
import { formatRefusal } from '../../../../src/bank/api/v2/errors.ts';
import { refuse } from '../../../../src/bank/kernel/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../../../src/bank/kernel/refusals.ts';

const call = {
  requestId: '0190000000007000800000000000000a',
  clientId: '0190000000007000800000000000000b',
  method: 'POST',
  now: Date.parse('2026-11-20T18:00:00Z'),
};
const format = (...refusal: Parameters<typeof refuse>) => formatRefusal(refuse(...refusal), call);

describe('an error response', () => {
  it('has one envelope for all errors', () => {
    expect(format('field_invalid', { field: 'type' })).toEqual({
      status: 400,
      body: {
        request_id: `req_${call.requestId}`,
        client_id: `cli_${call.clientId}`,
        method: 'POST',
        status: 400,
        error: { code: 'ERROR_CODE_INVALID_FIELD', message: 'invalid field', field_name: 'type' },
        created_at: '2026-11-20T18:00:00Z',
      },
    });
  });

  it('contains no client for an unknown key', () => {
    const { status, body } = format('key_unknown');
    expect(status).toBe(401);
    expect(body.client_id).toBe('');
    expect(body.error).toEqual({ code: 'ERROR_CODE_UNAUTHORIZED', message: 'unauthorized', field_name: '' });
  });

  it.each([
    ['holder_type_wrong', 400, 'ERROR_CODE_INVALID_FIELD', 'no type specified!', 'type'],
    ['body_malformed', 400, 'ERROR_CODE_INVALID_REQUEST_BODY', 'invalid request body', ''],
    ['phone_invalid', 400, 'ERROR_CODE_INVALID_PHONE', 'invalid phone', 'phone'],
    ['account_not_found', 404, 'ERROR_CODE_RESOURCE_NOT_FOUND', 'cannot find account by id in qldb', ''],
    [
      'holder_not_found',
      404,
      'ERROR_CODE_RESOURCE_NOT_FOUND',
      'cannot find account holder by client id in qldb',
      '',
    ],
    ['card_not_found', 404, 'ERROR_CODE_RESOURCE_NOT_FOUND', 'cannot find card holder by id in qldb', ''],
    [
      'counterparty_not_found',
      404,
      'ERROR_CODE_RESOURCE_NOT_FOUND',
      'cannot find counterparty by id in qldb',
      '',
    ],
    [
      'transaction_not_found',
      404,
      'ERROR_CODE_RESOURCE_NOT_FOUND',
      'cannot find transaction by id in qldb',
      '',
    ],
    ['write_conflict', 409, 'EC_QLDB_OCC_ERROR_RETRY', 'qldb occ error please retry', ''],
  ] as const)('%s is published as %i %s "%s"', (code, status, codeText, message, field) => {
    const answer = format(code);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toEqual({ code: codeText, message, field_name: field });
  });

  it.each([
    ['illegal_step', 400, 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED'],
    ['method_wrong', 405, 'ERROR_CODE_METHOD_NOT_ALLOWED'],
    ['link_expired', 410, 'ERROR_CODE_RESOURCE_GONE'],
    ['body_too_large', 413, 'ERROR_CODE_REQUEST_TOO_LARGE'],
    ['media_unsupported', 415, 'ERROR_CODE_UNSUPPORTED_MEDIA_TYPE'],
    ['rate_limited', 429, 'ERROR_CODE_RATE_LIMIT_EXCEEDED'],
    ['failure', 500, 'ERROR_CODE_INTERNAL_ERROR'],
    ['not_emulated', 501, 'ERROR_CODE_NOT_IMPLEMENTED'],
  ] as const)('%s has the status %i and the code %s', (code, status, codeText) => {
    const answer = format(code);
    expect([answer.status, answer.body.status, answer.body.error.code]).toEqual([status, status, codeText]);
  });

  it('uses the message of the refusal if it is more specific', () => {
    const message = 'the body ends at line 3';
    expect(format('body_malformed', { message }).body.error.message).toBe(message);
  });

  it('has a valid envelope for every refusal', () => {
    for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
      const { status, body } = format(code);
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(body.error.code, code).toMatch(/^(ERROR_CODE|EC)_[A-Z_]+$/);
      expect(body.error.message, code).not.toBe('');
    }
  });
});

describe('the field_name of an error', () => {
  it.each([
    ['accountId', 'sub_account_id'],
    ['counterpartyId', 'counterparty_id'],
    ['holderId', 'sub_account_holder_id'],
    ['cardHolderId', 'card_holder_id'],
    ['masterAccountId', 'master_account_id'],
    ['parentId', 'parent_transaction_id'],
    ['idNumber', 'id_number'],
    ['amount', 'amount'],
    ['controls', 'controls'],
    ['limit.maxSpendAmount', 'limit.max_spend_amount'],
    ['effective_date', 'effective_date'],
    ['/person/idNumber', 'person.id_number'],
    ['events.0', 'events'],
    ['/business/members/0/ownership', 'business.members.ownership'],
    ['metadata.favouriteColour', 'metadata'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
    ['cardHolderName', 'card_fulfilment.embossing.card_holder_name'],
    ['internationalWire.identifierCode', 'international_wire.beneficiary_bank.identifier_code'],
  ])('for %s is %s', (field, named) => {
    expect(format('field_invalid', { field }).body.error.field_name).toBe(named);
  });

  it('replaces the internal name at the start of the message', () => {
    const { error } = format('field_invalid', { field: 'idNumber', message: 'idNumber is wrong' }).body;
    expect(error.message).toBe('id_number is wrong');
  });

  it('is phone for an invalid phone, as in the published example', () => {
    expect(format('phone_invalid', { field: 'person.phone' }).body.error.field_name).toBe('phone');
  });

  it('is the default field of the refusal if no field was passed', () => {
    expect(format('metadata_too_large').body.error.field_name).toBe('metadata');
    expect(format('account_debit_blocked').body.error.field_name).toBe('sub_account_id');
    expect(format('counterparty_rail_missing').body.error.field_name).toBe('counterparty_id');
    expect(format('event_unknown').body.error.field_name).toBe('events');
    expect(format('event_unknown', { field: 'url' }).body.error.field_name).toBe('url');
  });
});
