/**
 * The journal: the last thousand requests of a sandbox with their responses and effects, with masked secrets and
 * numbers, and without those of other sandboxes.
 */
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();
const PULL = '/v2/payments/ach/pull';

type Shown = Record<string, unknown> & { caused: { transactions: string[]; events: { kind: string }[] } };

async function journal(caller: Caller, query = ''): Promise<Shown[]> {
  const answer = await caller.v2('GET', `/_sandbox/requests${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.at('requests') as Shown[];
}

const pull = (caller: Caller, headers: Record<string, string> = {}, amount = '5.00') =>
  caller.v2(
    'POST',
    PULL,
    {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount,
    },
    headers,
  );

describe('the journal', () => {
  it('contains the request, the response and the effects of a payment', async () => {
    const caller = http.caller();
    const answer = await pull(caller);
    const [shown] = await journal(caller);
    expect(shown).toEqual({
      id: answer.headers['x-request-id'],
      at: '2026-11-20T18:00:00Z',
      method: 'POST',
      path: PULL,
      query: {},
      operation: 'v2_originate_ach_pull',
      status: 201,
      error_code: '',
      ms: expect.any(Number),
      hint: '',
      idempotency_key: '',
      replayed: false,
      fault: '',
      request_body: {
        sub_account_id: caller.seed('sub_account_id'),
        counterparty_id: caller.seed('ach_counterparty_id'),
        amount: '5.00',
      },
      answer_body: expect.objectContaining({ id: answer.id(), amount: '5.00' }),
      caused: {
        known: true,
        facts: { from: expect.any(Number), to: expect.any(Number) },
        transactions: [answer.id()],
        events: [
          { id: expect.stringMatching(/^evt_/), type: 'transaction.created', api_version: 'v2' },
          { id: expect.stringMatching(/^evt_/), type: 'transfer.created', api_version: 'v1' },
          { id: expect.stringMatching(/^evt_/), type: 'ach.originated.credit', api_version: 'v1' },
        ],
      },
      platform: null,
    });
  });

  it("stores the platform's response beside the bank's, masked, and refuses one that is too large or for an unknown request", async () => {
    const caller = http.caller();
    const answer = await pull(caller);
    const path = `/_sandbox/requests/${answer.headers['x-request-id']}/platform`;
    const body = { account_number: '55001122', amount: '5.00' };
    const difference = {
      cause: 'value',
      field: 'account_number',
      here: '"1234"',
      there: '"55001122"',
      decision: '',
    };
    const platform = { address: 'https://test-api.example', status: 200, body, differences: [difference] };
    expect((await caller.v2('PUT', path, platform)).status).toBe(204);
    const [shown] = (await journal(caller)).filter(({ method }) => method === 'POST');
    expect(shown).toMatchObject({ status: 201, platform: { status: 200, body: { amount: '5.00' } } });
    expect(JSON.stringify(shown)).not.toContain('55001122');
    const nobody = await caller.v2('PUT', `/_sandbox/requests/req_${'0'.repeat(32)}/platform`, platform);
    expect([nobody.status, nobody.at('error.code')]).toEqual([404, 'request_not_found']);
    const large = { ...platform, body: { text: 'x'.repeat(300_000) } };
    expect((await caller.v2('PUT', path, large)).at('error.code')).toBe('field_invalid');
  });

  it('masks numbers, keys and secrets, and does not change the response itself', async () => {
    const caller = http.caller();
    const secret = await caller.v1('GET', `/v1/webhook/${caller.seed('webhook_id')}/secret`);
    const account = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
    await caller.v2('POST', '/v2/accounts/sub_account_holder', {
      type: 'person',
      person: { first_name: 'A', id_number: '123456789', date_of_birth: '1990-01-02' },
    });
    const text = (await caller.v2('GET', '/_sandbox/requests')).text;
    for (const hidden of [secret.id('secret'), '123456789', '1990-01-02', account.id('account_number')]) {
      expect(text).not.toContain(hidden);
    }
    expect(text).toContain(`****${secret.id('secret').slice(-4)}`);
    expect(text).toContain('*****6789');
  });

  it('omits query parameters that may contain a number, and bodies that are not JSON', async () => {
    const caller = http.caller();
    await caller.v2('GET', '/v2/webhook?limit=7&account_number=12345678901');
    await caller.v2('POST', PULL, '{"ssn": "123-45-6789"');
    await caller.v2('POST', PULL, '"123-45-6789"');
    const [text, malformed, read] = await journal(caller);
    expect(read).toMatchObject({ path: '/v2/webhook', query: { limit: '7', account_number: '*******8901' } });
    expect(malformed).toMatchObject({ status: 400, request_body: '[21 characters that are not JSON]' });
    expect(text).toMatchObject({ status: 400, request_body: '[string]' });
  });

  it('contains a refusal, a replay, a hint and a fault', async () => {
    const caller = http.caller();
    const key = { 'idempotency-key': 'k' };
    await pull(caller, key);
    await pull(caller, key);
    await pull(caller, key, '6.00');
    await pull(caller, {}, 'five');
    await caller.v2('POST', '/_sandbox/faults', { error: { status: 503 }, times: 1 });
    await caller.v2('POST', '/_sandbox/faults', { connection: 'reset', when: 'after_commit', times: 1 });
    await pull(caller, { 'idempotency-key': 'lost' });
    await expect(pull(caller, { 'idempotency-key': 'lost' })).rejects.toThrow();
    const [reset, failed, refused, other, replay, first] = await journal(caller);
    expect(first).toMatchObject({ status: 201, idempotency_key: 'k', replayed: false });
    expect(replay).toMatchObject({ status: 201, replayed: true, caused: { facts: null, transactions: [] } });
    expect(other).toMatchObject({ status: 400, replayed: false, caused: { transactions: [] } });
    expect(refused).toMatchObject({
      status: 400,
      operation: 'v2_originate_ach_pull',
      caused: { facts: null },
    });
    expect(failed).toMatchObject({
      status: 503,
      fault: 'flt_1',
      idempotency_key: 'lost',
      caused: { facts: null },
    });
    expect(refused?.error_code).toBe('ERROR_CODE_INVALID_AMOUNT');
    const { body: named } = await caller.v2(
      'GET',
      '/_sandbox/requests?bodies=false&text=code_invalid_amount',
    );
    expect(named).toMatchObject({ requests: [{ id: refused?.id, error_code: refused?.error_code }] });
    expect(failed?.request_body).toMatchObject({ amount: '5.00' });
    expect(reset).toMatchObject({ status: 0, fault: 'flt_2', answer_body: null });
    expect(reset?.caused.transactions).toHaveLength(1);
  });

  it('formats ids as v1 does in a request of v1', async () => {
    const caller = http.caller();
    const answer = await caller.v1('POST', '/v1/receive/ach', {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '7.00',
      description: 'x',
      type: 'nextDay',
    });
    expect(answer.status, answer.text).toBe(201);
    const [shown] = await journal(caller);
    expect(shown?.id).toBe(answer.headers['x-request-id']);
    expect(shown?.caused.transactions).toEqual([expect.stringMatching(/^txn-[0-9a-f-]{36}$/)]);
  });

  it('is filtered by operation and status, with a limit', async () => {
    const caller = http.caller();
    await pull(caller);
    await pull(caller, {}, 'five');
    await caller.v2('GET', '/v2/webhook');
    await caller.v2('GET', '/v2/nothing');
    const pathsOf = async (query: string) =>
      (await journal(caller, query)).map(({ path, status }) => `${path} ${status}`);
    expect(await pathsOf('?operation=v2_originate_ach_pull')).toEqual([`${PULL} 400`, `${PULL} 201`]);
    expect(await pathsOf('?status=4xx')).toEqual(['/v2/nothing 404', `${PULL} 400`]);
    expect(await pathsOf('?status=404')).toEqual(['/v2/nothing 404']);
    expect(await pathsOf('?limit=2')).toEqual(['/v2/nothing 404', '/v2/webhook 200']);
    expect(await pathsOf('?operation=v2_list_webhooks&status=2xx')).toEqual(['/v2/webhook 200']);
    for (const wrong of ['limit=0', 'limit=1001', 'limit=x', 'status=600', 'status=4x']) {
      expect((await caller.v2('GET', `/_sandbox/requests?${wrong}`)).status).toBe(400);
    }
  });

  it('returns one request by its id in either format', async () => {
    const caller = http.caller();
    const answer = await pull(caller);
    const id = String(answer.headers['x-request-id']);
    const hex = id.slice('req_'.length);
    const dashed = `req-${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
    for (const spelled of [id, dashed]) {
      const shown = await caller.v2('GET', `/_sandbox/requests/${spelled}`);
      expect(shown.at('id')).toBe(id);
      expect(shown.at('answer_body.id')).toBe(answer.id());
    }
    for (const unknown of ['req_1', `req_${'0'.repeat(32)}`, answer.id()]) {
      const shown = await caller.v2('GET', `/_sandbox/requests/${unknown}`);
      expect([shown.status, shown.at('error.code')]).toEqual([404, 'request_not_found']);
    }
  });

  it('keeps the last thousand, and counts the dropped ones', async () => {
    const caller = http.caller();
    for (let call = 0; call < 1003; call += 1) await caller.v2('GET', '/v2/nothing');
    const answer = await caller.v2('GET', '/_sandbox/requests');
    expect([answer.at('kept'), answer.at('dropped')]).toEqual([1000, 3]);
    expect(answer.at('requests')).toHaveLength(100);
    expect(await journal(caller, '?limit=1000')).toHaveLength(1000);
  });

  it('contains neither control-plane calls nor those of another sandbox', async () => {
    const [one, other] = [http.caller(), http.caller()];
    await one.v2('GET', '/v2/webhook');
    await one.v2('GET', '/_sandbox');
    expect(await journal(one)).toHaveLength(1);
    expect(await journal(other)).toEqual([]);
  });

  it('is kept when the bank is replaced, without the effects on the old one', async () => {
    const caller = http.caller();
    const seeded = caller.sandbox.image();
    await pull(caller);
    caller.sandbox.replaceWith(seeded);
    await pull(caller);
    const [after, before] = await journal(caller);
    expect(before).toMatchObject({ status: 201, caused: { known: false, transactions: [], events: [] } });
    expect(after).toMatchObject({ caused: { known: true } });
    expect(after?.caused.transactions).toHaveLength(1);
  });

  it('notifies the listeners of the sandbox', async () => {
    const caller = http.caller();
    const received: string[] = [];
    const stop = caller.sandbox.listeners.listen((item) => {
      if (item.type === 'request') received.push(`${item.request.operation} ${item.request.status}`);
    });
    await pull(caller);
    stop();
    await pull(caller);
    expect(received).toEqual(['v2_originate_ach_pull 201']);
  });
});
