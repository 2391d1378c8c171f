/**
 * GET /v1/program/{programId} and the lists below it: the sandbox's own program, and no other. Decision `program-record` in docs/fidelity.md.
 */
import { expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { useHttp } from './support.ts';

const http = useHttp();

it('the program contains what this bank knows about it', async () => {
  const caller = http.caller();
  const answer = await caller.v1('GET', `/v1/program/${caller.seed('program_id')}`);
  expectRecord(answer, 'retrieveProgram', ['id', 'name', 'status']);
  const { program } = caller.sandbox;
  expect(answer.body).toEqual({
    id: caller.seed('program_id'),
    name: program.name,
    status: 'active',
    env: 'test',
    sponsorBankName: program.sponsorBank,
    routingNumber: program.routingNumber,
  });
});

const PATH = '/v1/program/:programId';
const BELOW = V1_OPERATIONS.filter(({ method, path }) => method === 'GET' && path.startsWith(PATH));

it.each(BELOW.map(({ id, path }) => [id, path]))('another program is 404 (%s)', async (_, path) => {
  const caller = http.caller();
  for (const id of [`prg-${crypto.randomUUID()}`, 'prg-1', caller.seed('client_id')]) {
    const answer = await caller.v1('GET', path.replace(':programId', id));
    expectRefusedV1(answer, { status: 404, code: 'EC_PROGRAM_NOT_FOUND' });
  }
});
