/** The activity as a file: JSON as the bank lists it, or the requests as HAR, which browsers and proxies read. */
import { client } from './bank.ts';
import type { Item } from './stream.ts';

function save(name: string, type: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

export async function exportJson(items: readonly Item[]): Promise<void> {
  save(
    'sandbank-activity.json',
    'application/json',
    items.map(({ number: _, bank: __, ...item }) => item),
  );
}

type Request = Awaited<ReturnType<(typeof client)['value']['sandbox']['listRequests']>>['requests'][number];

const text = (body: unknown): string => (body === null ? '' : JSON.stringify(body));
const pairs = (record: Record<string, unknown>) =>
  Object.entries(record).map(([name, value]) => ({ name, value: String(value) }));

/** A request as an entry of HAR 1.2. */
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

export async function exportHar(): Promise<void> {
  const { requests } = await client.value.sandbox.listRequests({ query: { limit: '1000' } });
  const entries = requests.toReversed().map((request) => harEntry(request, location.origin));
  const creator = { name: 'Sandbank', version: '1' };
  save('sandbank.har', 'application/json', { log: { version: '1.2', creator, entries } });
}
