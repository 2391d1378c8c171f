/** A request of the journal as an entry of HAR 1.2, which browsers and proxies read. */
import type { Client } from '../src/kit/client/client.ts';

type Request = Awaited<ReturnType<Client['sandbox']['listRequests']>>['requests'][number];

const text = (body: unknown): string => (body === null ? '' : JSON.stringify(body));
const pairs = (record: Record<string, unknown>) =>
  Object.entries(record).map(([name, value]) => ({ name, value: String(value) }));

export function harEntry(request: Request, origin: string): object {
  const query = request.query as Record<string, unknown>;
  const search = new URLSearchParams(query as Record<string, string>).toString();
  return {
    startedDateTime: request.at,
    time: request.ms,
    request: {
      method: request.method,
      url: `${origin}${request.path}${search === '' ? '' : `?${search}`}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers:
        request.idempotency_key === ''
          ? []
          : pairs({
              [request.path.startsWith('/v1') ? 'sd-idempotency-key' : 'idempotency-key']:
                request.idempotency_key,
            }),
      queryString: pairs(query),
      ...(request.request_body !== null && {
        postData: { mimeType: 'application/json', text: text(request.request_body) },
      }),
      headersSize: -1,
      bodySize: text(request.request_body).length,
    },
    response: {
      status: request.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs({ 'x-request-id': request.id }),
      content: {
        size: text(request.answer_body).length,
        mimeType: 'application/json',
        text: text(request.answer_body),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: request.ms, receive: 0 },
  };
}
