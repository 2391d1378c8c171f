/**
 * v1's error body: flat, with a status that follows from the kind of the refusal and a code of the documented pattern.
 */
import { describe, expect, test } from 'vitest';
import { ErrorBody, formatRefusal, resourceOf } from '../../../../src/bank/api/v1/errors.ts';
import { type RefusalDetail, refuse } from '../../../../src/bank/kernel/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../../../src/bank/kernel/refusals.ts';
import { id, NOON, uuid } from './samples.ts';

const format = (code: RefusalCode, detail: RefusalDetail = {}, resource = 'contact') =>
  formatRefusal(refuse(code, detail), {
    requestId: id(90),
    method: 'PATCH',
    programId: id(2),
    now: NOON,
    resource,
  });

describe('the error body', () => {
  test('is a flat object', () => {
    expect(format('counterparty_not_found')).toEqual({
      status: 404,
      body: {
        requestId: `req-${uuid(90)}`,
        method: 'PATCH',
        status: 404,
        code: 'EC_CONTACT_NOT_FOUND',
        message: 'contact not found',
        sysMessage: 'contact_not_found',
        programId: `prg-${uuid(2)}`,
        env: 'test',
        createdAt: '2026-11-20T12:00:00Z',
      },
    });
    expect(Object.keys(format('failure').body).sort()).toEqual(Object.keys(ErrorBody.properties).sort());
  });

  test('has no program id without authentication', () => {
    const { status, body } = formatRefusal(refuse('key_missing'), {
      requestId: id(90),
      method: 'GET',
      programId: '',
      now: NOON,
      resource: 'webhook',
    });
    expect({ status, code: body.code, programId: body.programId }).toEqual({
      status: 401,
      code: 'EC_UNAUTHORIZED',
      programId: '',
    });
  });

  test.each(Object.keys(REFUSALS) as RefusalCode[])(
    '%s has a code that matches the published pattern, with and without a resource',
    (code) => {
      for (const resource of ['card', '']) {
        const { body } = format(code, {}, resource);
        expect(body.code).toMatch(/^EC_[A-Z0-9]+(_[A-Z0-9]+)*$/);
        expect(body.message).not.toBe('');
        expect(body.sysMessage).not.toBe('');
      }
    },
  );

  test.each([
    ['field_invalid', 400],
    ['key_unknown', 401],
    ['card_not_found', 404],
    ['method_wrong', 405],
    ['illegal_step', 409],
    ['link_expired', 410],
    ['body_too_large', 413],
    ['media_unsupported', 415],
    ['rate_limited', 429],
    ['failure', 500],
    ['not_emulated', 501],
  ] as const)('%s is %i', (code, status) => {
    expect(format(code).status).toBe(status);
    expect(format(code).body.status).toBe(status);
  });
});

describe('published error bodies are reproduced verbatim', () => {
  test('for a missing person header', () => {
    expect(format('person_header_missing').body).toMatchObject({
      code: 'EC_PERSON_ID_HEADER_REQUIRED',
      sysMessage: 'personId_missing',
    });
  });

  test('for a write conflict in the ledger', () => {
    const { status, body } = format('write_conflict');
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'EC_QLDB_OCC_ERROR_RETRY',
      sysMessage: 'qldb occ error please retry',
    });
  });

  test('for an intrabank contact with the own account, for every field', () => {
    expect(format('intra_account_own', { field: 'intraAccount' }).body).toMatchObject({
      code: 'EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST',
      message: 'Invalid self intrabank request',
    });
  });

  test('for a name that is locked', () => {
    expect(format('name_locked').body.code).toBe('EC_PERSON_UPDATE_ERROR');
  });
});

describe('the message contains the invalid field', () => {
  test('with its v1 name', () => {
    expect(format('counterparty_elsewhere', { field: 'counterpartyId' }).body.message).toBe(
      'contactId: the contact belongs to another account',
    );
    expect(format('parent_missing', { field: 'parentId' }).body.message).toMatch(/^parentTxnId: /);
    expect(
      format('intra_account_unknown', { field: 'rails.intraAccount.accountNumber' }).body.message,
    ).toMatch(/^intrabank\.accountNumber: /);
  });

  test('once, if the text already names it', () => {
    expect(format('field_invalid', { field: 'name', message: 'name is required' }).body.message).toBe(
      'name is required',
    );
    expect(format('field_invalid', { field: 'holderId', message: 'holderId is required' }).body.message).toBe(
      'sd-person-id is required',
    );
  });

  test('as it was sent, even if it has the name of an Object.prototype member', () => {
    for (const field of ['constructor', '__proto__', 'toString']) {
      expect(format('field_unknown', { field, message: 'unknown' }).body.message).toBe(`${field}: unknown`);
    }
  });

  test('without the path of its own record, and with the path in other records', () => {
    const wrong = { field: 'person.idNumber', message: 'person.idNumber is wrong' };
    expect(format('field_invalid', wrong, 'person').body.message).toBe('idNumber is wrong');
    expect(format('field_invalid', wrong, 'member').body.message).toBe('person.idNumber is wrong');
    const both = { field: 'controls.blocked.merchants', message: 'both' };
    expect(format('card_controls_both', both, 'card').body.message).toBe('blockedMerchants: both');
  });

  test('only if the request can be corrected', () => {
    expect(format('account_not_found', { field: 'accountId' }).body.message).toBe('account not found');
  });
});

describe('the resource of an error', () => {
  test.each([
    ['/v1/contact/:contactId', 'contact'],
    ['/v1/card/:cardId/test', 'card'],
    ['/v1/person/:personId/document', 'document'],
    ['/v1/business/:businessId/document/:documentId', 'document'],
    ['/v1/receive/ach', 'transfer'],
    ['/v1/send/wire/:transferId', 'transfer'],
    ['/v1/webhook/:webhookId/secret', 'webhook'],
    ['/v1/nothing', ''],
    ['/v1', ''],
    ['/', ''],
  ])('for %s is %j', (path, resource) => {
    expect(resourceOf(path)).toBe(resource);
  });

  test('is part of the error code of an invalid request', () => {
    expect(format('amount_invalid', { field: 'amount' }, 'transfer').body).toMatchObject({
      code: 'EC_TRANSFER_INVALID_AMOUNT',
      sysMessage: 'transfer_invalid_amount',
    });
    expect(format('body_malformed', {}, '').body.code).toBe('EC_INVALID_REQUEST');
  });

  test('is a business for paths of a business, and a person for a person in the body', () => {
    expect(format('holder_not_found', {}, 'business').body).toMatchObject({
      code: 'EC_BUSINESS_NOT_FOUND',
      message: 'business not found',
    });
    expect(format('holder_not_found', { field: 'sd-person-id' }, 'business').body.code).toBe(
      'EC_PERSON_NOT_FOUND',
    );
    expect(format('holder_not_found', {}, 'document').body.code).toBe('EC_PERSON_NOT_FOUND');
  });
});
