/**
 * A real browser for a test file: Debian's Chromium, headless, driven with playwright-core, which contains no
 * browser. Without Chromium a test fails and names it, and those that need it are skipped.
 */
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

export type { Page };

const CHROMIUM = '/usr/bin/chromium';
const IS_INSTALLED = existsSync(CHROMIUM);

const ARGUMENTS = [
  // Chromium's own sandbox does not work for root, the usual user in containers.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser functions for the tests of a file. */
export interface InBrowser {
  /** A page of a new profile, on a separate origin that serves this HTML at `/`. */
  openPage(html?: string): Promise<{ page: Page; origin: string }>;
  /**
   * A page of a new profile at this URL, on the bank's origin; `instead` replaces the response of one URL.
   */
  visit(
    url: string,
    options?: BrowserContextOptions,
    instead?: [address: string, json: object],
  ): Promise<Page>;
}

/** Collects from now on what goes wrong on a page of this origin: its errors and warnings, failed responses, and requests elsewhere. */
export function collectProblems(page: Page, origin: string, problems: string[] = []): string[] {
  const tell = (what: string): void => void problems.push(`${new URL(page.url()).pathname}: ${what}`);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) tell(message.text());
  });
  page.on('pageerror', ({ message }) => tell(message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) tell(`asks for ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) tell(`${response.status()} ${response.url()}`);
  });
  return problems;
}

/**
 * The processor time of the longest task of a page while `work` runs, in milliseconds. A task blocks everything else on the page; its
 * real time would also contain the work of other programs.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser to trace');
  await browser.startTracing(page, {
    categories: ['-*', 'toplevel', 'disabled-by-default-devtools.timeline'],
  });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    traceEvents: { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[];
  };
  const threadOf = ({ pid, tid }: { pid: number; tid: number }): string => `${pid} ${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mains.has(threadOf(event)));
  expect(tasks.length, 'tasks in the trace').toBeGreaterThan(0);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Describes tests in a real browser; they get pages of it, which close when each test ends. */
export function describeInBrowser(name: string, tests: (browser: InBrowser) => void): void {
  describe(name, () => {
    it(`Chromium is installed at ${CHROMIUM} (else: apt-get install chromium)`, () => {
      expect(IS_INSTALLED).toBe(true);
    });

    describe.skipIf(!IS_INSTALLED)('in Chromium', () => {
      let browser: Browser | undefined;
      const contexts: BrowserContext[] = [];
      const servers: Server[] = [];
      const violations: string[] = [];

      beforeAll(async () => {
        browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGUMENTS });
      });
      afterEach(async () => {
        await Promise.all(contexts.splice(0).map((context) => context.close()));
        await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
        expect(violations.splice(0), 'what the policy of a page kept from it').toEqual([]);
      });
      afterAll(() => browser?.close());

      const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
        if (browser === undefined) throw new Error('the browser is there only while a test runs');
        const context = await browser.newContext(options);
        contexts.push(context);
        context.on('console', (message) => {
          if (/content security policy/i.test(message.text())) violations.push(message.text());
        });
        return context.newPage();
      };

      tests({
        async visit(url, options, instead) {
          const page = await newPage(options);
          if (instead !== undefined) {
            const [address, json] = instead;
            await page.route(address, (route) => route.fulfill({ json }));
          }
          await page.goto(url);
          return page;
        },
        async openPage(html = '<!doctype html><title>A page</title>') {
          const server = createServer((_, response) => {
            response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
          });
          servers.push(server);
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
          const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
          const page = await newPage();
          await page.goto(`${origin}/`);
          return { page, origin };
        },
      });
    });
  });
}
