/**
 * The reference pages at /docs in a real browser: one operation of each form is opened, and its example is executed
 * unchanged in a new sandbox. The page then shows the success of the operation, and is readable. The page renders the
 * operations of a form in the same way; test/reference/openapi.test.ts sends the example of every operation.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { ExampleFiles } from '../../src/bank/api/operation.ts';
import { V1_OPERATIONS } from '../../src/bank/api/v1/index.ts';
import { type Reply, type Running, startBank } from '../server/process/support.ts';
import { IS_WHOLE } from '../support/runs.ts';
import { wholeDocument } from '../support/whole-document.ts';
import { describeInBrowser, longestTask } from './browser.ts';

const IN_PAGE = fileURLToPath(new URL('reference-page.js', import.meta.url));
/** On two idle cores it takes a fraction of this. */
const ALL_MS = 240_000;
/** One of so many forms is tried with each change, all of them weekly. */
const SHARE = 5;
/** The minimum contrast of text: WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;
/** The maximum processor time of a task until the page is painted. */
const MOST_MS = 150;
const FIRST_PAINT = `new Promise((done) => {
  const look = () => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint === undefined) requestAnimationFrame(look);
    else done(paint.startTime);
  };
  look();
})`;

interface Described {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: { in: string; example?: unknown }[];
  requestBody?: { content: object };
  responses: Record<string, { content?: object }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
}

/** Input for the page besides its examples: path parameters, and files by the position of their inputs. */
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
  const body = { api_version: 'v1', url: 'http://127.0.0.1:9/', events: ['*'] };
  return { id: take(await call('POST', '/_sandbox/webhooks', body), 'id') };
};

const imageOf = async ({ url }: Running): Promise<Typed> => {
  const image = await (await fetch(`${url}/_sandbox/export`)).arrayBuffer();
  return {
    files: [{ name: 'bank.sqlite', mimeType: 'application/vnd.sqlite3', buffer: Buffer.from(image) }],
  };
};

/**
 * Operations of the control plane about records that an earlier call creates: it runs before, and the id is entered.
 */
const BEFORE: Readonly<Record<string, (call: Call, bank: Running) => Promise<Typed>>> = {
  sandbox_delete_sandbox: async (call) => {
    await call('POST', '/_sandbox/sandboxes', { name: 'spare' });
    return {};
  },
  sandbox_retrieve_snapshot: snapshot,
  sandbox_compare_snapshot: snapshot,
  sandbox_restore_snapshot: snapshot,
  sandbox_import: (_, bank) => imageOf(bank),
  sandbox_retrieve_event: event,
  sandbox_render_event: event,
  sandbox_resend_event: async (call, bank) => {
    await call('POST', '/_sandbox/webhooks', {
      api_version: 'v2',
      url: 'http://127.0.0.1:9/',
      events: ['*'],
    });
    return event(call, bank);
  },
  sandbox_send_example: webhook,
  sandbox_delete_fault: async (call) => ({
    id: take(await call('POST', '/_sandbox/faults', { error: { status: 503 }, times: 1 }), 'id'),
  }),
  sandbox_keep_platform_answer: async (call) => {
    await call('GET', '/v2/webhook');
    return { id: take(await call('GET', '/_sandbox/requests?limit=1'), 'requests', '0', 'id') };
  },
  sandbox_simulate_transaction: async (call, { seeded }) => {
    const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded;
    const body = { sub_account_id, counterparty_id, amount: '20.00' };
    return { id: take(await call('POST', '/v2/payments/ach/push', body), 'id') };
  },
};

/** The files of the operations that accept some, as in their examples. */
function filesOf(id: string): Typed {
  const files: ExampleFiles = V1_OPERATIONS.find((row) => row.id === id)?.example?.files ?? {};
  return {
    files: Object.entries(files).map(([name, { contentType, base64 }]) => ({
      name: `${name}.${contentType.split('/')[1]}`,
      mimeType: contentType,
      buffer: Buffer.from(base64, 'base64'),
    })),
  };
}

const successOf = ({ responses }: Described): string =>
  Object.keys(responses).find((status) => status.startsWith('2')) ?? '';

/** The properties of an operation that determine its form on the page, and the expected result. */
function formOf(method: string, operation: Described): string {
  const { parameters = [], requestBody, responses, security } = operation;
  const fields = parameters.map((one) => `${one.in} ${one.example === undefined ? 'empty' : 'filled'}`);
  const success = successOf(operation);
  return JSON.stringify([
    method,
    [...new Set(fields)].sort(),
    Object.keys(requestBody?.content ?? {}),
    success,
    Object.keys(responses[success]?.content ?? {}),
    security !== undefined,
  ]);
}

/** The first operation of each form. */
function onePerForm(document: Document): Described[] {
  const chosen = new Map<string, Described>();
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const form = formOf(method, operation);
      if (!chosen.has(form)) chosen.set(form, operation);
    }
  }
  return [...chosen.values()];
}

/** The response as the page shows it. */
interface Contrast {
  ratio: number;
  of: string;
}

describeInBrowser('the reference at /docs', ({ visit }) => {
  let bank: Running;

  beforeAll(async () => {
    bank = await startBank();
  });

  const visitReference = (name: string, options: BrowserContextOptions = {}): Promise<Page> =>
    visit(`${bank.url}/docs/reference/${name}`, options);

  const readDocument = async (name: string): Promise<Document> =>
    wholeDocument(JSON.parse(await (await fetch(`${bank.url}/openapi/${name}.json`)).text()));

  /** Presses Execute; returns what the page shows afterwards. */
  const execute = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Execute' }).click();
    return page.locator('form.execute output pre').innerText();
  };
  const contrastOf = async (page: Page): Promise<Contrast> => {
    await page.evaluate(readFileSync(IN_PAGE, 'utf8'));
    return page.evaluate('leastContrast(document.body)');
  };

  it.each(['v2', 'v1', 'sandbox'] as const)(
    'lists every operation of %s with a link to its page',
    async (name) => {
      const { paths } = await readDocument(name);
      const described = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId, summary }]) =>
          [`/docs/reference/${name}/${operationId}.html`, method.toUpperCase(), path, summary].join(' '),
        ),
      );
      const page = await visitReference(`${name}.html`);
      const listed: string[] =
        await page.evaluate(`[...document.querySelectorAll('.operation:not(.event)')].map((line) =>
      [line.querySelector('h3 a').pathname, line.querySelector('.method').textContent, line.querySelector('p code').textContent,
        line.querySelector('h3').textContent.trim()].join(' '))`);
      expect(listed.toSorted()).toEqual(described.toSorted());
    },
  );

  it.each(['v2', 'v1', 'sandbox'] as const)(
    'executes examples of the forms of %s',
    async (name) => {
      const forms = onePerForm(await readDocument(name));
      expect(forms.length).toBeGreaterThan(10);
      const prepared = Object.keys(BEFORE).filter((id) => id.startsWith(`${name}_`));
      expect(forms.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(prepared));
      const chosen = forms.filter((_, at) => IS_WHOLE || at % SHARE === 0);
      const wrong: string[] = [];
      const page = await visitReference(`${name}.html`);
      for (const [at, operation] of chosen.entries()) {
        const { operationId: id } = operation;
        // The page has the key of the default sandbox, whose tokens are in the examples. Effects of the control plane
        // on a sandbox may last, so each of its operations has a separate one.
        const key = name === 'sandbox' ? `test_docs_${at}` : 'test_default';
        const call: Call = (method, path, body) => bank.v2(method, path, body, { 'api-key': key });
        expect((await call('POST', '/_sandbox/reset')).status).toBe(200);
        const typed = (await BEFORE[id]?.(call, bank)) ?? filesOf(id);
        await page.goto(`${bank.url}/docs/reference/${name}/${id}.html`);
        if (name === 'sandbox') await page.locator('input[name="api-key"]').fill(key);
        if (typed.id !== undefined) await page.locator('input[data-in="path"]').first().fill(typed.id);
        for (const [number, file] of (typed.files ?? []).entries()) {
          await page.locator('input[type="file"]').nth(number).setInputFiles(file);
        }
        const text = await execute(page);
        if (!text.startsWith(successOf(operation))) wrong.push(`${id}: ${text}`);
        const { ratio, of } = await contrastOf(page);
        if (ratio < LEAST_CONTRAST) wrong.push(`${id}: ${ratio.toFixed(1)} ${of}`);
      }
      expect(wrong).toEqual([]);
    },
    ALL_MS,
  );

  // Colors do not depend on the width.
  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is executed and read: %s, %i px wide', async (colorScheme, width) => {
    const options: BrowserContextOptions = { colorScheme, viewport: { width, height: 900 } };
    const page = await visitReference('v2/v2_retrieve_transaction.html', options);
    const text = await execute(page);
    expect(text).toMatch(/^200/);
    expect(text).toContain(bank.seeded.transaction_id);
    const { ratio, of } = await contrastOf(page);
    expect(ratio, of).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    // Nothing overflows at the side.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const box = await page.locator('form.execute output pre').boundingBox();
    expect(box?.width).toBeGreaterThan(width * 0.55);
  });

  it('calls with the entered key, and shows the refusal of the bank', async () => {
    const page = await visitReference('v2/v2_list_sub_accounts.html');
    await page.locator('input[name="api-key"]').fill('nobody');
    expect(await execute(page)).toMatch(/^401/);
  });

  it('remembers the selected language', async () => {
    const page = await visitReference('v2/v2_originate_ach_pull.html');
    expect(await page.locator('pre[aria-label="curl"]').isVisible()).toBe(true);
    await page.getByText('Python', { exact: true }).click();
    expect(await page.locator('pre[aria-label="Python"]').isVisible()).toBe(true);
    await page.goto(`${bank.url}/docs/reference/v2/v2_originate_ach_push.html`);
    expect(await page.locator('pre[aria-label="Python"]').isVisible()).toBe(true);
    expect(await page.locator('pre[aria-label="curl"]').isVisible()).toBe(false);
  });

  it('is painted without long work', async () => {
    const page = await visitReference('v2/v2_originate_ach_pull.html');
    for (const id of ['v2_originate_ach_push', 'v2_list_sub_accounts', 'v2_create_sub_account']) {
      const longest = await longestTask(page, async () => {
        await page.goto(`${bank.url}/docs/reference/v2/${id}.html`);
        await page.evaluate(FIRST_PAINT);
      });
      expect(longest, 'milliseconds of the longest task').toBeLessThan(MOST_MS);
    }
  });
});
