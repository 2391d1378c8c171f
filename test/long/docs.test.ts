/**
 * The reference pages at /docs in a real browser: every operation is opened, and its example is executed as it stands in a
 * fresh sandbox. What the page then shows is the operation's own success, and it can be read.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { ExampleFiles } from '../../src/api/operation.ts';
import { V1_OPERATIONS } from '../../src/api/v1/index.ts';
import { type Reply, type Running, startBank } from '../process/support.ts';
import { describeInBrowser } from './browser.ts';

const BUILD = fileURLToPath(new URL('../../site/build.mjs', import.meta.url));
const IN_PAGE = fileURLToPath(new URL('reference-page.js', import.meta.url));
/** On two cores with nothing else to do it takes a fraction of this. */
const ALL_MS = 400_000;
/** What the eye needs of text: WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;

interface Described {
  operationId: string;
  tags: string[];
  responses: Record<string, object>;
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
}

/** What is typed into the page beside its examples: parts of the path, and files by the places of their inputs. */
interface Typed {
  id?: string;
  files?: { name: string; mimeType: string; buffer: Buffer }[];
}

/** Calls of a sandbox before the page's own. */
type Call = (method: string, path: string, body?: unknown) => Promise<Reply>;

const take = (reply: Reply, ...path: string[]): string => {
  const found = path.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], reply.body);
  if (typeof found !== 'string') throw new Error(`no ${path.join('.')} in ${reply.status} ${reply.text}`);
  return found;
};
const incoming = async (call: Call, sub_account_id: string): Promise<Reply> =>
  call('POST', '/_sandbox/simulate/incoming/ach_push', { sub_account_id, amount: '20.00' });
const snapshot = async (call: Call): Promise<Typed> => {
  await call('PUT', '/_sandbox/snapshots/payday');
  return {};
};
const event = async (call: Call, bank: Running): Promise<Typed> => {
  await incoming(call, bank.seeded.sub_account_id ?? '');
  return { id: take(await call('GET', '/_sandbox/events?limit=1'), 'events', '0', 'id') };
};
const webhook = async (call: Call): Promise<Typed> => {
  const body = { dialect: 'v1', url: 'http://127.0.0.1:9/', events: ['*'] };
  return { id: take(await call('POST', '/_sandbox/webhooks', body), 'id') };
};

/** Operations of the control plane about what only an earlier call makes: it is made before, and its id is typed. */
const BEFORE: Readonly<Record<string, (call: Call, bank: Running) => Promise<Typed>>> = {
  sandbox_delete_sandbox: async (call) => {
    await call('POST', '/_sandbox/sandboxes', { name: 'spare' });
    return {};
  },
  sandbox_retrieve_snapshot: snapshot,
  sandbox_delete_snapshot: snapshot,
  sandbox_restore_snapshot: snapshot,
  sandbox_import: async (_, { url }) => {
    const image = await (await fetch(`${url}/_sandbox/export`)).arrayBuffer();
    return {
      files: [{ name: 'bank.sqlite', mimeType: 'application/vnd.sqlite3', buffer: Buffer.from(image) }],
    };
  },
  sandbox_retrieve_event: event,
  sandbox_render_event: event,
  sandbox_list_event_attempts: event,
  sandbox_resend_event: async (call, bank) => {
    await call('POST', '/_sandbox/webhooks', { dialect: 'v2', url: 'http://127.0.0.1:9/', events: ['*'] });
    return event(call, bank);
  },
  sandbox_send_example: webhook,
  sandbox_replay_events: webhook,
  sandbox_delete_fault: async (call) => ({
    id: take(await call('POST', '/_sandbox/faults', { error: { status: 503 }, times: 1 }), 'id'),
  }),
  sandbox_retrieve_request: async (call) => {
    await call('GET', '/v2/issuing/card');
    return { id: take(await call('GET', '/_sandbox/requests?limit=1'), 'requests', '0', 'id') };
  },
  sandbox_simulate_transaction: async (call, { seeded }) => {
    const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded;
    const body = { sub_account_id, counterparty_id, amount: '20.00' };
    return { id: take(await call('POST', '/v2/payments/ach/push', body), 'id') };
  },
  sandbox_simulate_authorization: async (call, { seeded }) => {
    const path = `/_sandbox/simulate/cards/${seeded.virtual_card_id}/authorize`;
    return { id: take(await call('POST', path, { amount: '20.00' }), 'transaction', 'id') };
  },
};

/** The files of the operations that take some, as their examples have them. */
function filesOf(id: string): Typed {
  const files: ExampleFiles = V1_OPERATIONS.find((row) => row.id === id)?.example.files ?? {};
  return {
    files: Object.entries(files).map(([name, { contentType, base64 }]) => ({
      name: `${name}.${contentType.split('/')[1]}`,
      mimeType: contentType,
      buffer: Buffer.from(base64, 'base64'),
    })),
  };
}

/** What the page shows of an answer. */
interface Shown {
  status: string;
  text: string;
  contrast: { ratio: number; of: string };
}

describeInBrowser('the reference at /docs', ({ visit }) => {
  let bank: Running;

  beforeAll(async () => {
    execFileSync(process.execPath, [BUILD]);
    bank = await startBank();
  });

  const visitReference = async (name: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await visit(`${bank.url}/docs/reference/${name}`, options);
    // Not as a script of the page, which allows no other than the bank's.
    await page.evaluate(readFileSync(IN_PAGE, 'utf8'));
    return page;
  };

  /** The page takes a text when its field is left. */
  const type = async (field: Locator, text: string): Promise<void> => {
    await field.fill(text);
    await field.blur();
  };

  it.each(['v2', 'v1', 'sandbox'] as const)(
    'executes every example of %s',
    async (name) => {
      const document: Document = JSON.parse(
        await (await fetch(`${bank.url}/openapi/${name}.json`)).text(),
      );
      const wrong: string[] = [];
      let number = 0;
      const page = await visitReference(`${name}.html`);
      for (const methods of Object.values(document.paths)) {
        for (const { operationId: id, responses } of Object.values(methods)) {
          number += 1;
          // The page has the key of the default sandbox, whose tokens stand in the examples. What the control plane
          // does to a sandbox may last, so there each operation has one of its own.
          const key = name === 'sandbox' ? `test_docs_${number}` : 'test_default';
          const call: Call = (method, path, body) => bank.v2(method, path, body, { 'api-key': key });
          expect((await call('POST', '/_sandbox/reset')).status).toBe(200);
          const typed = (await BEFORE[id]?.(call, bank)) ?? filesOf(id);
          await page.evaluate(`openOperation('${id}')`);
          const place = page.locator(`[id="of-${id}"]`);
          if (name === 'sandbox') await type(place.locator('[data-param-name="api-key"] input'), key);
          if (typed.id !== undefined)
            await type(place.locator('[data-param-in="path"] input').first(), typed.id);
          for (const [at, file] of (typed.files ?? []).entries()) {
            await place.locator('input[type="file"]').nth(at).setInputFiles(file);
          }
          const { status, text, contrast }: Shown = await page.evaluate(`executeOperation('${id}')`);
          const expected = Object.keys(responses).find((one) => one.startsWith('2'));
          if (status !== expected) wrong.push(`${id}: ${status} ${text}`);
          if (contrast.ratio < LEAST_CONTRAST)
            wrong.push(`${id}: ${contrast.ratio.toFixed(1)} ${contrast.of}`);
        }
      }
      const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
      expect([wrong, number]).toEqual([[], all.length]);
    },
    ALL_MS,
  );
});
