/**
 * The texts of the OpenAPI documents: every operation, group and event has a description, summaries are in the
 * imperative, and lists in descriptions come from the data of the bank.
 */
import { describe, expect, it } from 'vitest';
import { REGISTER } from '../../src/bank/model/fidelity.ts';
import { RAIL_NAMES, railOf } from '../../src/bank/model/rails/index.ts';
import { timeWords } from '../../src/bank/model/timetable.ts';
import { API_DOCUMENTS } from '../../src/reference/openapi/document.ts';
import { laterEvents } from '../../src/reference/openapi/words.ts';
import { useHttp } from '../server/http/support.ts';
import { wholeDocument } from '../support/whole-document.ts';

const http = useHttp();

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  responses: Record<string, { description: string }>;
}
interface Document {
  info: { contact?: { url?: string }; license?: { name: string } };
  servers: { url: string }[];
  externalDocs: { url: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation & { tags: string[] } }>;
}

const read = async (name: string): Promise<Document> =>
  wholeDocument((await http.call('GET', `/openapi/${name}.json`)).body as Document);
const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((at) => Object.values(at));

/** Without the list of decisions. */
const sentencesOf = (description: string): string[] =>
  (description.split('\n\n')[0] ?? '').split(/(?<=[.?])\s+(?=[A-Z`])/);

/** The first words of summaries: the action of a caller. */
const VERBS = new Set(
  `Activate Add Advance Audit Cancel Change Clear Compare Configure Create Delete Deposit Download Empty End Explain Export
  Find Generate Import Keep List Look Make Originate Provision Pull Push Register Remove Replace Replay Resend Reset Restore Retrieve
  Rotate Seed Send Set Show Sign Simulate Store Stream Sub-ledger Submit Take Test Update Upload Wait`.match(
    /\S+/g,
  ),
);

describe.each(API_DOCUMENTS)('the texts of $name', ({ name, operations }) => {
  it('describe every operation in two to six sentences', async () => {
    const wrong = operationsOf(await read(name)).filter(({ description }) => {
      const { length } = sentencesOf(description);
      return length < 2 || length > 6;
    });
    expect(wrong.map(({ operationId, description }) => `${operationId}: ${description}`)).toEqual([]);
  });

  it('summarize every operation in the imperative', async () => {
    const wrong = operationsOf(await read(name)).filter(
      ({ summary }) => !VERBS.has(summary.split(' ')[0] ?? '') || summary.endsWith('.'),
    );
    expect(wrong.map(({ operationId, summary }) => `${operationId}: ${summary}`)).toEqual([]);
  });

  it('describe every response', async () => {
    const document = await read(name);
    const wrong = operationsOf(document).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { description }]) => description === '' || description === 'Done.')
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(wrong).toEqual([]);
  });

  it('describe every group and every event', async () => {
    const { tags, webhooks = {} } = await read(name);
    expect(tags.filter(({ description }) => (description ?? '').length < 20)).toEqual([]);
    expect(tags.filter((tag) => !/^([A-Z][a-z]+|ACH|RTP|FedNow)([ -][a-z]+)*$/.test(tag.name))).toEqual([]);
    const known = new Set(tags.map((tag) => tag.name));
    for (const [kind, { post }] of Object.entries(webhooks)) {
      expect(post.description, kind).toMatch(/^Reports that .+\. .+\.$/);
      expect(post.summary, kind).not.toBe(kind);
      expect(known, kind).toContain(post.tags[0]);
    }
  });

  it('name the bank, its licence and its pages with absolute URLs', async () => {
    const { info, servers, externalDocs } = await read(name);
    const [server] = servers;
    expect(server?.url).toMatch(/^http:\/\/[\w.]+(:\d+)?$/);
    expect(externalDocs.url).toBe(`${server?.url}/docs/`);
    expect(info).toMatchObject({ license: { name: 'MIT' }, contact: { url: `${server?.url}/docs/` } });
  });

  it('link the decisions of an operation to the register', async () => {
    const slugs = new Set(REGISTER.map(({ slug }) => slug));
    const described = new Map(
      operationsOf(await read(name)).map((one) => [one.operationId, one.description]),
    );
    for (const { id, decisions = [] } of operations) {
      for (const slug of decisions) {
        expect(slugs, id).toContain(slug);
        expect(described.get(id)).toMatch(
          new RegExp(`\\[${slug}\\]\\(http://[^)]+/docs/fidelity#${slug}\\)`),
        );
      }
    }
  });
});

describe('the events in a description', () => {
  it('of scheduled steps are listed with the rule of the timetable for every rail', () => {
    expect(laterEvents([{ kind: 'a', steps: [] }])).toBe('');
    expect(laterEvents([{ kind: 'a', steps: ['wire_submit', 'wire_clear'] }])).toContain(
      `- \`a\`: ${timeWords('wire_submit', 'calendar')}; then ${timeWords('wire_clear', 'calendar')}`,
    );
    for (const rail of RAIL_NAMES) {
      const whens = [...new Set(Object.values(railOf(rail).timetable).map(({ when }) => when))];
      if (whens.length === 0) continue;
      const listed = laterEvents(whens.map((step) => ({ kind: step, steps: [step] })));
      expect(listed.split('\n').slice(2)).toEqual(
        whens.map((when) => `- \`${when}\`: ${timeWords(when, 'calendar')}`),
      );
    }
  });

  it('are those that the recorded bank sent', async () => {
    const document = await read('v2');
    const pull = operationsOf(document).find(({ operationId }) => operationId === 'v2_originate_ach_pull');
    expect(pull?.description).toContain('Sends `transaction.created`.');
    for (const [status, when] of [
      ['pending', 'ach_submit'],
      ['clearing', 'ach_send'],
      ['cleared', 'ach_clear'],
      ['settled', 'ach_settle_pull'],
    ] as const) {
      expect(pull?.description).toContain(
        `\n- \`transaction.status.${status}\`: ${timeWords(when, 'calendar')}`,
      );
    }
    expect(pull?.description).toContain('`counterparty_rail_missing`');
    expect(document.webhooks?.['card.created']?.post.description).toContain('`v2_create_card`');
    expect(document.webhooks?.['client.updated']?.post.description).toContain(
      'This bank never sends it by itself',
    );
  });
});
