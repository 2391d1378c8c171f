/** The questions with which a user opens the inspector, each with its route from the first screen. */
import type { Locator, Page } from 'playwright-core';
import { type BusyBank, FAILURE } from './busy-bank.ts';

export interface Question {
  readonly question: string;
  readonly clicks: readonly ((page: Page, of: BusyBank) => Locator)[];
  /** Each of them is visible. */
  readonly answer: readonly ((page: Page, of: BusyBank) => Locator)[];
}

const activity = (page: Page): Locator =>
  page.getByRole('table', { name: 'Activity' }).locator('.rows [role=row]');
const payment = (page: Page): Locator =>
  activity(page).filter({ hasText: 'ACH pull +62.40 from Harbor Supplies' });
const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const row = (table: string | RegExp, text: string) => (page: Page) =>
  page.getByRole('table', { name: table }).locator('.rows [role=row]').filter({ hasText: text }).first();
const text = (words: string | RegExp) => (page: Page) => page.locator('main').getByText(words).first();

export const QUESTIONS: readonly Question[] = [
  {
    question: 'what did my test do, in order?',
    clicks: [],
    answer: [
      (page) => payment(page).first(),
      (page) => payment(page).first().getByText('returned'),
      (page) =>
        activity(page).filter({ hasText: '/v2/payments/ach/pull' }).filter({ hasText: '400' }).first(),
      (page) => activity(page).filter({ hasText: '+18.00' }).first(),
    ],
  },
  {
    question: 'what did one of its requests cause?',
    clicks: [(page) => payment(page).first().locator('[role=cell]').last()],
    answer: [
      (page) => activity(page).filter({ hasText: 'delivery of transaction.created' }).first(),
      (page) =>
        activity(page)
          .filter({ hasText: /posting/ })
          .first(),
    ],
  },
  {
    question: 'did my webhook go out?',
    clicks: [(page) => link(page, 'Webhooks')],
    answer: [
      (page, { flaky }) => row('Webhooks', flaky.url)(page).getByText(/delivered/),
      (page) => row('Webhooks', 'http://127.0.0.1:9/')(page).getByText('failing'),
    ],
  },
  {
    question: 'what did my server answer?',
    clicks: [
      (page) => link(page, 'Webhooks'),
      (page, { flaky }) => row('Webhooks', flaky.url)(page),
      row('Deliveries', '500'),
    ],
    answer: [row('Deliveries', '500'), text(FAILURE)],
  },
  {
    question: 'why is it late?',
    clicks: [
      (page) => payment(page).first().locator('[role=cell]').last(),
      (page) => activity(page).getByRole('link', { name: 'transaction.created' }).first(),
    ],
    answer: [text(/retry due|clock stopped/), text('next attempt is due')],
  },
  {
    question: 'what happens if I advance the clock?',
    clicks: [(page) => page.getByRole('button', { name: 'Advance …' })],
    answer: [
      (page) => page.getByRole('dialog').getByText(/Until .*scheduled/),
      (page) =>
        page
          .getByRole('dialog')
          .getByText(/attempt 2 to deliver/)
          .first(),
    ],
  },
  {
    question: 'which request, account and counterparty does a payment have?',
    clicks: [(page) => payment(page).first().getByRole('link').first()],
    answer: ['Request', 'Account', 'Counterparty'].map(
      (title) => (page: Page) =>
        page
          .getByRole('list', { name: 'Related records' })
          .getByRole('listitem')
          .filter({ hasText: title })
          .first(),
    ),
  },
  {
    question: 'which payments were returned?',
    clicks: [(page) => link(page, 'Transactions')],
    answer: [row(/^Transactions/, '+62.40')],
  },
  {
    question: 'how do I create a payment?',
    clicks: [(page) => link(page, 'Send'), (page) => page.getByRole('button', { name: 'New payment' })],
    answer: [
      (page) => page.getByLabel('Body (JSON)'),
      (page) => page.getByRole('button', { name: 'Send', exact: true }),
    ],
  },
  {
    question: 'how do I send this request again?',
    clicks: [
      (page) => payment(page).first().locator('[role=cell]').last(),
      (page) => activity(page).getByRole('link', { name: 'POST /v2/payments/ach/pull' }).first(),
    ],
    answer: [(page) => link(page, 'Edit and send again')],
  },
  {
    question: 'do the books balance?',
    clicks: [(page) => link(page, 'books balance')],
    answer: [text('books balance'), (page) => page.getByRole('row', { name: /Master account/ })],
  },
];
