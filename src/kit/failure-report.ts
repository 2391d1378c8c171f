/** What a failed test did to its bank, as lines: its requests with their responses, and the deliveries of its events. */
import type { ControlMethods } from './client/types.ts';

const SHOWN = 20;

type RequestOfTest = Awaited<ReturnType<ControlMethods['listRequests']>>['requests'][number];
type Attempt = Extract<
  Awaited<ReturnType<ControlMethods['listActivity']>>['items'][number],
  { type: 'attempt' }
>;

/** The last requests and deliveries of a test, each oldest first. */
export async function failureReport(test: string, sandbox: ControlMethods): Promise<string> {
  const { requests } = await sandbox.listRequests({ query: { limit: String(SHOWN) } });
  const { items } = await sandbox.listActivity();
  const attempts = items.filter((item) => item.type === 'attempt').slice(-SHOWN);
  return [
    `\n${test}`,
    `  ${requests.length === 0 ? 'no requests to v1 or v2.' : 'requests and responses:'}`,
    ...requests.toReversed().map(requestLines),
    `  ${attempts.length === 0 ? 'no deliveries to a webhook.' : 'deliveries to webhooks:'}`,
    ...attempts.map(attemptLine),
  ].join('\n');
}

function requestLines({
  method,
  path,
  status,
  request_body: sent,
  answer_body: answered,
}: RequestOfTest): string {
  return [
    `  ${status} ${method} ${path}`,
    ...(sent === null ? [] : [`      sent      ${JSON.stringify(sent)}`]),
    ...(status >= 400 ? [`      answered  ${JSON.stringify(answered)}`] : []),
  ].join('\n');
}

function attemptLine({ status, event_type, event_id, number, error }: Attempt): string {
  return `  ${status ?? 'no response'} ${event_type} ${event_id}, attempt ${number}${error === '' ? '' : `: ${error}`}`;
}
