import { it } from 'vitest';
import { useHttp } from './support.ts';
const http = useHttp();
const show = (n: string, v: unknown) => console.log(`### ${n} ${JSON.stringify(v)}`);
it('probe', async () => {
  const c = http.caller();
  const ach = { sub_account_id: c.seed('sub_account_id'), counterparty_id: c.seed('ach_counterparty_id'), amount: '10.00' };
  const deep = (n: number) => '{"a":'.repeat(n) + '1' + '}'.repeat(n);
  const deepA = (n: number) => '{"metadata":' + '['.repeat(n) + ']'.repeat(n) + '}';
  const cases: [string, string, string, unknown, Record<string, string>?][] = [
    ['text/plain', 'POST', '/v2/payments/ach/pull', JSON.stringify(ach), { 'content-type': 'text/plain' }],
    ['text/plain kyb', 'POST', `/v2/accounts/sub_account_holder/${c.seed('business_holder_id')}/kyb`, 'x', { 'content-type': 'text/plain' }],
    ['form', 'POST', '/v2/payments/ach/pull', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['json suffix', 'POST', '/v2/payments/ach/pull', JSON.stringify(ach), { 'content-type': 'application/merge-patch+json' }],
    ['charset', 'POST', '/v2/payments/ach/pull', JSON.stringify(ach), { 'content-type': 'application/json; charset=utf-8' }],
    ['empty ct', 'POST', '/v2/payments/ach/pull', JSON.stringify(ach), { 'content-type': '' }],
    ['null patch', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, 'null'],
    ['empty patch', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, ''],
    ['array patch', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, '[]'],
    ['kyb array', 'POST', `/v2/accounts/sub_account_holder/${c.seed('business_holder_id')}/kyb`, '[]'],
    ['kyb malformed', 'POST', `/v2/accounts/sub_account_holder/${c.seed('business_holder_id')}/kyb`, '{'],
    ['kyb null', 'POST', `/v2/accounts/sub_account_holder/${c.seed('business_holder_id')}/kyb`, 'null'],
    ['delete with empty json', 'DELETE', `/v2/webhook/whk_1`, ''],
    ['bad percent', 'GET', '/v2/issuing/card/%E0%A4%A', undefined],
    ['bad percent v1', 'GET', '/v1/account/%E0%A4%A', undefined],
    ['nul path', 'GET', '/v2/issuing/card/%00', undefined],
    ['long path', 'GET', `/v2/issuing/card/${'x'.repeat(101)}`, undefined],
    ['longer path', 'GET', `/v2/issuing/card/${'x'.repeat(5000)}`, undefined],
    ['slash', 'GET', '/v2/webhook/', undefined],
    ['slash post', 'POST', '/v2/payments/ach/pull/', ach],
    ['dslash', 'GET', '/v2//webhook', undefined],
    ['case', 'GET', '/V2/webhook', undefined],
    ['options', 'OPTIONS', '/v2/webhook', undefined],
    ['head', 'HEAD', '/v2/webhook', undefined],
    ['put', 'PUT', '/v2/webhook', undefined],
    ['unknown post malformed', 'POST', '/v2/nope', '{'],
    ['unknown post text', 'POST', '/v2/nope', 'x', { 'content-type': 'text/html' }],
    ['proto', 'POST', '/v2/payments/ach/pull', `{"__proto__":{"a":1},"constructor":1,"toString":2,"sub_account_id":"${ach.sub_account_id}","counterparty_id":"${ach.counterparty_id}","amount":"10.00"}`],
    ['proto only', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, `{"__proto__":{"label":"x"}}`],
    ['proto metadata', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, `{"metadata":{"__proto__":"x","constructor":"y","a\\u0000b":"z"}}`],
    ['deep100', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, deep(100)],
    ['deep100k', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, deep(100000)],
    ['deepmeta', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, deepA(100000)],
    ['nul label', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, { label: 'a\0b\ud800c\u202e' }],
    ['period obj', 'PATCH', `/v2/issuing/card/${c.seed('virtual_card_id')}`, { controls: { limit: { period: 'hourly' } } }],
    ['amount 1e5', 'POST', '/v2/payments/ach/pull', { ...ach, amount: '1e5' }],
    ['amount big', 'POST', '/v2/payments/ach/pull', { ...ach, amount: '99999999999999.00' }],
    ['amount max', 'POST', '/v2/payments/ach/pull', { ...ach, amount: '9999999999999.99' }],
    ['amount nl', 'POST', '/v2/payments/ach/pull', { ...ach, amount: '10.00\n' }],
    ['amount 0', 'POST', '/v2/payments/ach/pull', { ...ach, amount: '0.00' }],
    ['amount arabic', 'POST', '/v2/payments/ach/pull', { ...ach, amount: '\u0661\u0662.00' }],
    ['sub wrong prefix', 'POST', '/v2/payments/ach/pull', { ...ach, sub_account_id: c.seed('ach_counterparty_id') }],
    ['other acct', 'POST', '/v2/payments/ach/pull', { ...ach, sub_account_id: c.seed('other_sub_account_id') }],
    ['date', 'POST', '/v2/payments/ach/pull', { ...ach, effective_date: '9999-12-31' }],
    ['date2', 'POST', '/v2/payments/ach/pull', { ...ach, effective_date: '2026-02-30' }],
    ['wide', 'POST', '/v2/payments/ach/pull', { ...ach, ...Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`unknown_field_${i}`, 1])) }],
    ['both cursors', 'GET', '/v2/webhook?starting_after=a&ending_before=b', undefined],
    ['limit', 'GET', '/v2/webhook?limit=0', undefined],
    ['limit twice', 'GET', '/v2/webhook?limit=1&limit=2', undefined],
    ['limit obj', 'GET', '/v2/webhook?__proto__=1&limit=5', undefined],
    ['key array', 'GET', '/v2/webhook', undefined, { 'api-key': '' }],
    ['key bad', 'GET', '/v2/webhook', undefined, { 'api-key': 'sk_live_x' }],
    ['key odd', 'GET', '/v2/webhook', undefined, { 'api-key': 'test_../../etc' }],
  ];
  for (const [n, m, p, b, h] of cases) {
    const x = await c.v2(m as 'GET', p, b, h);
    show(n, [x.status, x.headers.allow, String(x.headers['x-sandbox-hint'] ?? '').length, String(x.headers['x-sandbox-hint'] ?? '').slice(0, 150), x.text.slice(0, 350)]);
  }
});
