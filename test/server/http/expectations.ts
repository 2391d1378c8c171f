/**
 * What every response of the interface must satisfy: it has the schema of its operation, without additional fields,
 * and every field of the platform's tables; an error has the format of its version, names its code and field, and
 * contains its status.
 */
import type { TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { expect } from 'vitest';
import type { AnyOperation } from '../../../src/bank/api/operation.ts';
import { ErrorBody } from '../../../src/bank/api/v1/errors.ts';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { ErrorAnswer } from '../../../src/bank/api/v2/errors.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { contradictions, type Table } from '../../contract/rows.ts';
import { type Answer, valueAt } from './support.ts';

const ajv = new Ajv({ strict: false, allErrors: true });

/** The error of a value by its schema; a schema that allows additional fields is an error itself. */
export function problemsWith(shape: TSchema, value: unknown): string[] {
  const validate = ajv.compile(shape);
  if (!validate(value))
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  const surplus = { ...(value as object), another_field: 1 };
  return validate(surplus) ? ['the shape is open'] : [];
}

/** The operation of v1 or v2 that has this id. */
export function operationOf(id: string): AnyOperation {
  const found = [...V2_OPERATIONS, ...V1_OPERATIONS].find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation has the id ${id}`);
  return found;
}

/**
 * The response is the operation's success, by its id or itself, with its own schema and the contract's table; without
 * a table it has at least these fields.
 */
export function expectRecord(
  answer: Answer,
  operation: AnyOperation | string,
  contract: Table | readonly string[],
): void {
  const { id, status, response } = typeof operation === 'string' ? operationOf(operation) : operation;
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  if (response === undefined) throw new Error(`${id} has no shape for its answer`);
  expect(problemsWith(response, answer.body)).toEqual([]);
  if ('rows' in contract) expect(contradictions(answer.body, contract)).toEqual([]);
  else expect(contract.filter((field) => valueAt(answer.body, field) === undefined)).toEqual([]);
}

interface Refused {
  status: number;
  code: string;
  field?: string;
  message?: string | RegExp;
}

/** The response is an error of v2. */
export function expectRefusedV2(answer: Answer, { status, code, field = '', message }: Refused): void {
  expect({
    status: answer.status,
    code: answer.at('error.code'),
    field: answer.at('error.field_name'),
  }).toEqual({ status, code, field });
  expectEnvelopeV2(answer);
  if (message !== undefined) expect(answer.at('error.message')).toMatch(message);
}

/** The response is an error of v1. */
export function expectRefusedV1(answer: Answer, { status, code, message }: Omit<Refused, 'field'>): void {
  expect({ status: answer.status, code: answer.at('code') }).toEqual({ status, code });
  expectEnvelopeV1(answer);
  if (message !== undefined) expect(answer.at('message')).toMatch(message);
}

/** The format of all errors of v2. */
export function expectEnvelopeV2(answer: Answer): void {
  expect(problemsWith(ErrorAnswer, answer.body), answer.text).toEqual([]);
  expect(answer.at('status')).toBe(answer.status);
  expect(answer.at('error.code')).toMatch(/^(ERROR_CODE|EC)_[A-Z_]+$/);
  expect(answer.at('error.message')).not.toBe('');
  expect(answer.at('created_at')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(answer.at('request_id')).toMatch(/^req_[0-9a-f]{32}$/);
  if (answer.status === 401) expect(answer.at('client_id')).toBe('');
  else {
    expect(answer.at('client_id')).toMatch(/^cli_[0-9a-f]{32}$/);
    expect(answer.at('request_id')).toBe(answer.headers['x-request-id']);
  }
}

/** The format of all errors of v1. */
export function expectEnvelopeV1(answer: Answer): void {
  expect(problemsWith(ErrorBody, answer.body), answer.text).toEqual([]);
  expect(answer.at('status')).toBe(answer.status);
  expect(answer.at('code')).toMatch(/^EC_[A-Z_]+$/);
  expect(answer.at('message')).not.toBe('');
  expect(answer.at('sysMessage')).not.toBe('');
  expect(answer.at('env')).toBe('test');
  expect(answer.at('createdAt')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(answer.at('requestId')).toMatch(/^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  if (answer.status === 401) expect(answer.at('programId')).toBe('');
  else {
    expect(answer.at('programId')).toMatch(/^prg-/);
    expect(answer.at('requestId')).toBe(answer.headers['x-request-id']);
  }
}
