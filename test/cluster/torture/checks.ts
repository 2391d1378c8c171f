/** What has to be true of a cluster after any faults: nothing acknowledged is lost or doubled, and the books and the events agree. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Load, type Receiver, send } from './load.ts';

export interface Verdict {
  acknowledged: number;
  lost: number;
  doubled: number;
  /** Events in the logs of the sandboxes. */
  events: number;
  readonly findings: string[];
}

export interface Checked {
  readonly url: string;
  readonly sandboxes: readonly string[];
  readonly seeded: ReadonlyMap<string, Record<string, string>>;
  readonly load: Pick<Load, 'acknowledged' | 'findings'>;
  readonly receiver: Receiver;
  /** How long events may take to arrive. */
  readonly limitMs: number;
}

interface Row {
  readonly id: string;
  readonly description: string;
  readonly amount: string;
}

const READ_MS = 60_000;
const LOOK_EVERY_MS = 200;
const EXAMPLES = 4;

/** Checks all sandboxes through one instance. */
export async function checkAll(checked: Checked): Promise<Verdict> {
  const { load, receiver, sandboxes } = checked;
  const verdict: Verdict = {
    acknowledged: load.acknowledged.size,
    lost: 0,
    doubled: 0,
    events: 0,
    findings: [],
  };
  const readable: string[] = [];
  for (const sandbox of sandboxes) {
    try {
      await checkPayments(checked, sandbox, verdict);
      readable.push(sandbox);
    } catch (error) {
      const own = [...load.acknowledged.values()].filter((one) => one.sandbox === sandbox);
      verdict.lost += own.length;
      verdict.findings.push(
        `unreadable: ${sandbox}, with ${own.length} payments: ${(error as Error).message}`,
      );
    }
  }
  for (const sandbox of readable) {
    await checkEvents(checked, sandbox, verdict).catch((error: Error) => {
      verdict.findings.push(`unreadable: the events of ${sandbox}: ${error.message}`);
    });
  }
  verdict.findings.push(...load.findings, ...receiver.findings);
  return verdict;
}

/** Reads as JSON; a sandbox that changes its owner is asked again. */
async function read<T>({ url, limitMs }: Checked, sandbox: string, path: string): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const { status, text } = await send(url + path, {
      headers: { 'api-key': `test_${sandbox}` },
      signal: AbortSignal.timeout(READ_MS),
    });
    if (status === 200) return JSON.parse(text) as T;
    if ((status !== 0 && status < 500) || Date.now() > deadline) {
      throw new Error(`${path} was answered ${status} ${text.slice(0, 200)}`);
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function checkPayments(checked: Checked, sandbox: string, verdict: Verdict): Promise<void> {
  const { findings } = verdict;
  const audit = await read<{ balanced: boolean }>(checked, sandbox, '/_sandbox/ledger/verify');
  if (!audit.balanced) findings.push(`unbalanced: ${sandbox}: ${JSON.stringify(audit).slice(0, 300)}`);
  const account = checked.seeded.get(sandbox)?.sub_account_id;
  const rows: Row[] = [];
  for (let after = ''; ; ) {
    const page = await read<{ data: Row[]; has_more: string; starting_after: string }>(
      checked,
      sandbox,
      `/v2/payments/transaction?sub_account_id=${account}&limit=100${after}`,
    );
    rows.push(...page.data);
    if (page.has_more !== 'true') break;
    after = `&starting_after=${page.starting_after}`;
  }
  const ids = new Set(rows.map(({ id }) => id));
  if (ids.size !== rows.length) findings.push(`repeated id: ${sandbox} has ${rows.length - ids.size}`);
  const byTag = Map.groupBy(rows, ({ description }) => description);
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const { sandbox: of, tag, id, cents } of checked.load.acknowledged.values()) {
    if (of !== sandbox) continue;
    const [first, ...others] = byTag.get(tag) ?? [];
    if (first === undefined) lost.push(tag);
    else if (others.length > 0) doubled.push(tag);
    else if (first.id !== id || Math.round(Number(first.amount) * 100) !== cents) {
      findings.push(
        `changed: ${tag} was acknowledged as ${id} of ${cents} cents, and is ${JSON.stringify(first).slice(0, 200)}`,
      );
    }
  }
  verdict.lost += lost.length;
  verdict.doubled += doubled.length;
  if (lost.length > 0) findings.push(`lost: ${lost.length} of ${sandbox}, as ${lost.slice(0, EXAMPLES)}`);
  if (doubled.length > 0) {
    findings.push(`doubled: ${doubled.length} of ${sandbox}, as ${doubled.slice(0, EXAMPLES)}`);
  }
}

/** Each event of the log came to the receiver, by itself. */
async function checkEvents(checked: Checked, sandbox: string, verdict: Verdict): Promise<void> {
  const { receiver, limitMs } = checked;
  const deadline = Date.now() + limitMs;
  for (;;) {
    // Before the log is read: a payment that settles meanwhile sends an event that the read log does not have.
    const sent = [...receiver.events.keys()];
    const ids = await eventsOf(checked, sandbox);
    const missing = ids.filter((id) => !receiver.events.has(`${sandbox} ${id}`));
    if (missing.length === 0) {
      verdict.events += ids.length;
      const known = new Set(ids);
      const untold = sent
        .filter((key) => key.startsWith(`${sandbox} `))
        .map((key) => key.slice(sandbox.length + 1))
        .filter((id) => !known.has(id));
      if (untold.length > 0) {
        verdict.findings.push(
          `forgotten event: ${sandbox} sent ${untold.slice(0, EXAMPLES)}, which it does not have`,
        );
      }
      if (known.size !== ids.length) verdict.findings.push(`repeated number: events of ${sandbox}`);
      return;
    }
    if (Date.now() > deadline) {
      verdict.findings.push(
        `undelivered: ${missing.length} of ${ids.length} events of ${sandbox}, as ${missing.slice(0, EXAMPLES)}`,
      );
      return;
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function eventsOf(checked: Checked, sandbox: string): Promise<string[]> {
  const ids: string[] = [];
  for (let since = 'seeded'; ; ) {
    const { events } = await read<{ events: { id: string }[] }>(
      checked,
      sandbox,
      `/_sandbox/events?api_version=v2&limit=1000&since=${since}`,
    );
    ids.push(...events.map(({ id }) => id));
    const last = events.at(-1);
    if (last === undefined) return ids;
    since = last.id;
  }
}
