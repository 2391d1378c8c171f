/**
 * Explains why an instance cannot use its bucket. workerd reports neither the address of the bucket nor the cause of a
 * failed connection, so this program connects to the address itself.
 */
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

export interface BucketAddress {
  /** `s3://bucket/prefix`, or `gs://`. */
  readonly bucket: string;
  /** The one of the provider unless given. */
  readonly endpoint: string | undefined;
}

/** A failed request, as workerd reports it: `bucket: GET sandbank/v1/deploy/catalog.json: 403 AccessDenied`. */
const FAILURE = /\bbucket: [A-Z]+ \S+: (.+)/;
/** Its answer to a conditional write that had to fail. */
const IGNORES = 'the bucket ignores conditional writes';
const CONDITIONS = 'conditional writes, as those of Amazon S3, Cloudflare R2 and MinIO do';
const CREDENTIALS =
  'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they may read and write this bucket';
/** What to do if the bucket responds, by the status of the response. */
const ADVICE: Readonly<Record<string, string>> = {
  401: CREDENTIALS,
  403: CREDENTIALS,
  404: 'create the bucket, or correct --bucket',
  501: `it must know ${CONDITIONS}`,
};
const CONNECT_TIMEOUT_MS = 5_000;

/** What failed, and what to do; `undefined` if the output of the instance contains no failure of its bucket. */
export async function explainBucket(
  output: string,
  { bucket, endpoint }: BucketAddress,
): Promise<string | undefined> {
  const which = `the bucket ${bucket}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
  if (output.includes(IGNORES)) return `${which} ignores conditions: use one that obeys ${CONDITIONS}`;
  const [, failure] = FAILURE.exec(output) ?? [];
  if (failure === undefined) return undefined;
  const [status] = /^\d{3}\b/.exec(failure) ?? [];
  if (status !== undefined) {
    return `${which} responds with ${failure}: ${ADVICE[status] ?? 'look into its log'}`;
  }
  const cause = endpoint === undefined ? undefined : await connectionError(endpoint);
  return `${which} cannot be reached (${cause ?? failure}): start it, or correct --endpoint (AWS_ENDPOINT_URL)`;
}

/** The error of a connection to an address; `undefined` if there is a response. */
function connectionError(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = (url.startsWith('https:') ? getSecurely : get)(
      url,
      { timeout: CONNECT_TIMEOUT_MS },
      (response) => {
        response.destroy();
        resolve(undefined);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no response')));
    // The error of several addresses has only a code.
    request.on('error', ({ message, code }: NodeJS.ErrnoException) => resolve(message || code));
  });
}
