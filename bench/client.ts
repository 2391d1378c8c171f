/**
 * The load: HTTP/1.1 over keep-alive sockets in a separate process, with one request in flight on each connection. It
 * is minimal (prebuilt bytes, only the status line and the length of an answer are parsed), because on two cores a
 * heavier client changes the result: with autocannon the floor is a fifth to a quarter lower.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

/** One run against one server. */
export interface Job {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A header with a new value for each request; `""` for none. */
  readonly freshHeader: string;
  /** The prefix of the new values, which must be unique among the jobs of a server. */
  readonly name: string;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  readonly status: number;
  /** The maximum number of requests per second over all connections. Default: unlimited. */
  readonly perSecond?: number;
}

/** The result of a run, which ends when every request is answered, so the counts are exact. */
export interface Outcome {
  readonly answers: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** The share of a core that this process used; near 1, the client and not the server was the limit. */
  readonly busy: number;
  /** The first answer with another status, or a connection error; `""` for none. */
  readonly problem: string;
}

const COUNTER_DIGITS = 9;
const READ_BYTES = 65_536;
const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

async function run(job: Job): Promise<Outcome> {
  const took: number[] = [];
  const before = process.cpuUsage();
  const start = performance.now();
  const until = start + job.seconds * 1000;
  let sent = 0;
  const drives = Array.from({ length: job.connections }, () => drive(job, took, () => (sent += 1), until));
  const problem = (await Promise.all(drives)).find((text) => text !== '') ?? '';
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const busy = (user + system) / 1e6 / seconds;
  const sorted = Float64Array.from(took).sort();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { answers: took.length, seconds, p50: at(0.5), p99: at(0.99), busy, problem };
}

/** Runs one connection from its first to its last request; resolves with its problem, or `""`. */
function drive(job: Job, took: number[], count: () => number, until: number): Promise<string> {
  const request = bytesOf(job);
  const counterAt = request.indexOf('0'.repeat(COUNTER_DIGITS));
  const expected = `HTTP/1.1 ${job.status} `;
  return new Promise((resolve) => {
    const pause = job.perSecond === undefined ? 0 : (job.connections / job.perSecond) * 1000;
    let next = performance.now();
    let sentAt = 0;
    let begun: Buffer | undefined;
    const end = (problem: string): void => {
      resolve(problem);
      socket.destroy();
    };
    const send = (): void => {
      sentAt = performance.now();
      if (sentAt >= until) {
        end('');
        return;
      }
      if (job.freshHeader !== '') {
        request.write(String(count()).padStart(COUNTER_DIGITS, '0'), counterAt, 'latin1');
      }
      socket.write(request);
    };
    const take = (length: number, buffer: Uint8Array): boolean => {
      const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, length);
      const answer = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
      const headEnd = answer.indexOf(HEAD_END);
      const head = headEnd === -1 ? '' : answer.toString('latin1', 0, headEnd);
      const whole = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (head === '' || answer.length < whole) {
        begun = Buffer.from(answer);
        return true;
      }
      begun = undefined;
      if (!head.startsWith(expected) || answer.length > whole) {
        end(`expected ${job.status}, got ${answer.toString()}`);
        return true;
      }
      took.push(performance.now() - sentAt);
      next += pause;
      const wait = next - performance.now();
      if (wait > 0) setTimeout(send, wait);
      else send();
      return true;
    };
    const onread = { buffer: Buffer.alloc(READ_BYTES), callback: take };
    const socket = connect({ host: '127.0.0.1', port: job.port, noDelay: true, onread }, send);
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('the server closed the connection'));
  });
}

function bytesOf(job: Job): Buffer {
  const fresh =
    job.freshHeader === '' ? [] : [`${job.freshHeader}: ${job.name}-${'0'.repeat(COUNTER_DIGITS)}`];
  const headers = Object.entries(job.headers).map(([name, value]) => `${name}: ${value}`);
  const body =
    job.body === '' ? [] : ['content-type: application/json', `content-length: ${job.body.length}`];
  const lines = [`${job.method} ${job.path} HTTP/1.1`, 'host: localhost', ...headers, ...fresh, ...body];
  return Buffer.from(`${lines.join('\r\n')}${HEAD_END}${job.body}`, 'latin1');
}

process.on('message', async (jobs: Job[]) => process.send?.(await Promise.all(jobs.map(run))));
