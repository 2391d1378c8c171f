/**
 * A trace responds to the requests of its page from complete lists: page by page, with the same filters as the bank.
 */
import { describe, expect, it } from 'vitest';
import { answerFromTrace } from '../../inspector/trace-answers.ts';

const requests = Array.from({ length: 120 }, (_, at) => ({
  id: `req_${at}`,
  method: at % 2 === 0 ? 'GET' : 'POST',
  path: '/v2/webhook',
  operation: '',
  status: at < 110 ? 200 : 404,
}));
const answers = {
  '/_sandbox/requests?limit=1000': { kept: 120, requests, cursor: '' },
  '/_sandbox/events?limit=1000': { events: [{ id: 'evt_1' }, { id: 'evt_2' }], cursor: 'evt_1', older: '' },
  '/v2/issuing/card?limit=100': { data: [{ id: 'crd_1' }], starting_after: '' },
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const ask = async (path: string): Promise<any> =>
  (await answerFromTrace({ answers }, 'GET', new URL(path, 'http://trace.invalid'))).json();

describe('a trace', () => {
  it('returns a list in pages', async () => {
    const first = await ask('/_sandbox/requests?limit=50&bodies=false');
    expect(first.requests).toEqual(requests.slice(0, 50));
    const second = await ask(`/_sandbox/requests?limit=200&bodies=false&cursor=${first.cursor}`);
    expect(second.requests).toEqual(requests.slice(50));
    expect(second.cursor).toBe('');
    const events = await ask('/_sandbox/events?limit=1');
    expect((await ask(`/_sandbox/events?limit=1&before=${events.older}`)).events).toEqual([{ id: 'evt_2' }]);
    expect(await ask('/v2/issuing/card?limit=50&starting_after=')).toMatchObject({
      data: [{ id: 'crd_1' }],
      starting_after: '',
    });
  });

  it('is filtered by a part of a line, a class of status and an id', async () => {
    expect((await ask('/_sandbox/requests?text=post')).requests).toHaveLength(60);
    expect((await ask('/_sandbox/requests?status=4xx')).requests).toHaveLength(10);
    expect(await ask('/_sandbox/requests/req_3')).toEqual(requests[3]);
  });

  it('reports that it lacks an item, and that it is read-only', async () => {
    expect(await ask('/_sandbox/nothing')).toMatchObject({ error: { code: 'not_in_trace' } });
    const answer = answerFromTrace({ answers }, 'POST', new URL('http://trace.invalid/_sandbox/reset'));
    expect(answer.status).toBe(405);
  });
});
