/**
 * A page of another origin in a real browser: with tokens alone it reads the data of a card, sets its PIN and sets
 * the debit card of a contact, under both prefixes, and it can read nothing else of the bank. Decisions
 * `cross-origin` and `v2-vault-paths` in docs/fidelity.md.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Running, startBank } from '../server/process/support.ts';
import { describeInBrowser } from './browser.ts';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The response to a page, or the error of its browser. */
interface Got {
  status: number;
  body: unknown;
  requestId: string | null;
  error: string;
}

/** Requests from within a page. */
function call(page: Page, url: string, sent: Sent = {}): Promise<Got> {
  return page.evaluate(
    async ([address, { method = 'GET', headers = {}, body }]) => {
      try {
        const answer = await fetch(address, {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const requestId = answer.headers.get('x-request-id');
        return { status: answer.status, body: await answer.json(), requestId, error: '' };
      } catch (error) {
        return { status: 0, body: null, requestId: null, error: String(error) };
      }
    },
    [url, sent] as const,
  );
}

const NOT_LET = { status: 0, body: null, requestId: null, error: 'TypeError: Failed to fetch' };

/** The console of the page, where its browser names what it blocked. */
function listen(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  return lines;
}

async function tokenOf(bank: Running, path: string, name: string): Promise<string> {
  const { body } = await (path.startsWith('/v1') ? bank.v1 : bank.v2)('POST', path);
  const token = body[name];
  if (typeof token !== 'string') throw new Error(`no ${name} in the answer of ${path}`);
  return token;
}

describeInBrowser('a page of another origin', ({ openPage }) => {
  it.each([
    [
      '/v2/issuing/card/{id}/show',
      'show-token',
      '/v2/issuing/card/{id}/show_token',
      'show_token',
      'card_number',
    ],
    ['/v1/card/{id}/show', 'sd-show-token', '/v1/card/{id}/showtoken', 'showToken', 'cardNumber'],
    ['/v2/card/{id}/show', 'sd-show-token', '/v1/card/{id}/showtoken', 'showToken', 'cardNumber'],
  ])('reads a card at %s, four times with one token', async (path, header, tokenPath, field, number) => {
    const bank = await startBank();
    const { page } = await openPage();
    const at = (where: string) => where.replace('{id}', bank.seeded.virtual_card_id ?? '');
    const token = await tokenOf(bank, at(tokenPath), field);
    const show = () => call(page, bank.url + at(path), { headers: { [header]: token } });

    const shown = await Promise.all([show(), show(), show(), show()]);
    const { body: card } = await bank.v2('GET', at('/v2/issuing/card/{id}'));
    for (const { status, body, requestId } of shown) {
      expect(status).toBe(200);
      const { [number]: digits } = body as Record<string, string>;
      expect(digits).toMatch(/^\d{16}$/);
      expect(digits?.slice(-4)).toBe(card.last4);
      expect(requestId).toMatch(/^req[_-]/);
    }

    await bank.v2('POST', '/_sandbox/clock/advance', { by: 'PT5M' });
    const late = await show();
    expect(late.status).toBe(401);
    expect(JSON.stringify(late.body)).toContain('the token is unknown, was used, or has expired');
  });

  it.each(['/v1/card/{id}/pin', '/v2/card/{id}/pin'])('sets a PIN at %s', async (path) => {
    const bank = await startBank();
    const { page } = await openPage();
    const id = bank.seeded.card_id ?? '';
    const { body: card } = await bank.v1('GET', `/v1/card/${id}`);
    const { expiryMonth, expiryYear, last4 } = card;
    const token = await tokenOf(bank, `/v1/card/${id}/pintoken`, 'pinToken');
    const setPin = (body: object) =>
      call(page, bank.url + path.replace('{id}', id), {
        method: 'POST',
        headers: { 'sd-pin-token': token },
        body,
      });

    const wrong = await setPin({ expiryMonth, expiryYear, last4, pin: '12' });
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('pin')]);
    const set = await setPin({ expiryMonth, expiryYear, last4, pin: '2580' });
    expect([set.status, set.body]).toEqual([200, { id }]);
    expect((await setPin({ expiryMonth, expiryYear, last4, pin: '2580' })).status).toBe(401);
  });

  it.each([
    ['PATCH', '/v1/contact/{id}/debitcard', 200],
    ['PATCH', '/v2/contact/{id}/debitcard', 200],
    ['POST', '/v1/contact/{id}/debitcard', 201],
    ['POST', '/v2/contact/{id}/debitcard', 201],
  ] as const)('sets the debit card of a contact by %s %s', async (method, path, status) => {
    const bank = await startBank();
    const { page } = await openPage();
    const id = bank.seeded.contact_id ?? '';
    const token = await tokenOf(bank, `/v1/contact/${id}/debitcard/token`, 'debitCardToken');
    const address = {
      addressType: 'card',
      line1: '1 Quay Street',
      line2: '',
      city: 'Astoria',
      state: 'OR',
      country: 'US',
      postalCode: '97103',
    };
    const debitCard = {
      cardNumber: '4000056655665556',
      expiryMonth: '04',
      expiryYear: '2030',
      cvv: '123',
      address,
    };
    const given = await call(page, bank.url + path.replace('{id}', id), {
      method,
      headers: { 'sd-debitcard-token': token },
      body: { debitCard },
    });
    expect([given.status, given.body]).toEqual([status, expect.objectContaining({ id })]);
    const { body: contact } = await bank.v1('GET', `/v1/contact/${id}`);
    expect(contact.debitCard).toMatchObject({ last4: '5556', expiryMonth: '04', expiryYear: '2030' });
  });

  it('reads nothing else of the bank, with a key or without', async () => {
    const bank = await startBank();
    const { page, origin } = await openPage();
    const lines = listen(page);
    const key = { 'api-key': bank.key, 'sd-api-key': bank.key };
    const paths = [
      '/v2/issuing/card',
      `/v2/issuing/card/${bank.seeded.virtual_card_id}`,
      `/v1/card/${bank.seeded.card_id}`,
      '/v1/account',
      '/_sandbox',
      '/_sandbox/requests',
      '/openapi/v2.json',
      '/livez',
    ];
    for (const path of paths) {
      for (const headers of [{}, key]) {
        expect(await call(page, bank.url + path, { headers }), path).toEqual(NOT_LET);
      }
    }
    const refused = lines.filter((text) => text.includes('blocked by CORS policy'));
    expect(refused).toHaveLength(2 * paths.length);
    expect(refused.every((text) => text.includes(origin))).toBe(true);
    // The same requests from outside a page get a response.
    expect((await bank.v2('GET', '/v2/issuing/card')).status).toBe(200);
  });

  it('cannot send a key together with a token, or use another method', async () => {
    const bank = await startBank();
    const { page } = await openPage();
    const id = bank.seeded.virtual_card_id ?? '';
    const token = await tokenOf(bank, `/v2/issuing/card/${id}/show_token`, 'show_token');
    const url = `${bank.url}/v2/issuing/card/${id}/show`;
    const headers = { 'show-token': token };
    expect(await call(page, url, { headers: { ...headers, 'api-key': bank.key } })).toEqual(NOT_LET);
    expect(await call(page, url, { method: 'DELETE', headers })).toEqual(NOT_LET);
    expect((await call(page, url, { headers })).status).toBe(200);
  });

  it('changes nothing through the control plane', async () => {
    const bank = await startBank();
    const { page } = await openPage();
    const card = `/v2/issuing/card/${bank.seeded.virtual_card_id}`;
    await bank.v2('PATCH', card, { label: 'Kept' });
    const url = `${bank.url}/_sandbox/reset`;
    expect(await call(page, url, { method: 'POST', body: {} })).toEqual(NOT_LET);
    // A form can be sent without permission, and its response cannot be read; so the bank itself refuses it by its
    // origin.
    const sent = await page.evaluate(async (to) => {
      const answer = await fetch(to, { method: 'POST', mode: 'no-cors', body: new URLSearchParams() });
      return answer.type;
    }, url);
    expect(sent).toBe('opaque');
    expect((await bank.v2('GET', card)).body.label).toBe('Kept');
  });
});
