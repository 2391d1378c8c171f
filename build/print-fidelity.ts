/**
 * Prints docs/fidelity.md, and the counts in the README, from the register in data/decisions.json. `node
 * build/print-fidelity.ts` writes the page, `--check` only checks whether it is up to date.
 */
import { V1_OPERATIONS } from '../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../src/bank/api/v2/index.ts';
import {
  type Area,
  decisionsOf,
  type Evidence,
  howKnown,
  REGISTER,
  type RegisteredDecision,
} from '../src/bank/model/fidelity.ts';
import { CONTROL_OPERATIONS } from '../src/sandboxes/control/index.ts';
import { type Page, print, table } from './page.ts';

const AREAS: Readonly<Record<Area, string>> = {
  interface: 'Interface',
  behaviour: 'Records',
  rails: 'Payments',
  webhooks: 'Webhooks',
  control: 'Sandbank only',
};

const MEANINGS: Readonly<Record<Evidence, string>> = {
  documented: 'stated on a page of the platform',
  sample: 'shown only in a published example',
  client: 'a public client of the platform relies on it, but it is not stated',
  inferred: 'concluded from pages or examples, but not stated',
  ours: 'no published source, or a deliberate difference',
};

const HEAD = `<!-- Printed by build/print-fidelity.ts from data/decisions.json: change that file, not this one. -->
# Fidelity

Solid's documents leave many questions open, and some pages contradict each other. This page has a row for each question, with the decision
that Sandbank follows. Code, documents and \`GET /_sandbox/assumptions\` name a row by its slug. "The platform" is Solid.

The evidence is that of the whole answer; if a part of the answer has weaker evidence, the answer says so. \`recording (2026-11-25)\` means
that the responses of the platform were [compared](guides/compare.md) with this bank on that day and agreed in every field that the row
names. \`recording (2026-11-25): contradicts it\` means that they did not agree. Rows without these words were not compared.

"More" has the rest of an answer, and its sources: pages of the v1 or v2 reference (\`v1\`, \`v2\`), guides of v2 (\`guide\`), articles of the
help center (\`help\`), or public clients that work with the platform (\`client\`). An answer may also deliberately differ from its source.
`;

const isRecorded = ({ recording }: Pick<RegisteredDecision, 'recording'>): boolean => recording !== undefined;
const count = (evidence: Evidence): string =>
  String(REGISTER.filter((row) => row.evidence === evidence).length);

const SLUGS = new Set(REGISTER.map(({ slug }) => slug));

/** The ids of the operations that a row is about, for the filter of the page; none for a row about a whole version. */
const OPERATIONS = new Map<string, string[]>();
for (const operation of [...V2_OPERATIONS, ...V1_OPERATIONS, ...CONTROL_OPERATIONS]) {
  for (const { slug } of decisionsOf(operation)) {
    OPERATIONS.set(slug, [...(OPERATIONS.get(slug) ?? []), operation.id]);
  }
}

/** Converts references to other rows into links. */
function withLinks(answer: string): string {
  return answer.replaceAll(/`([a-z0-9-]+)`/g, (words, slug: string) =>
    SLUGS.has(slug) ? `[${words}](#${slug})` : words,
  );
}

/** The first sentence of an answer, and the rest of it. */
function parted(answer: string): [short: string, rest: string] {
  const end = /[.:;](?= [A-Z`"])|\.$/.exec(answer);
  const at = end === null ? answer.length : end.index + 1;
  return [answer.slice(0, at).replace(/[:;]$/, '.'), answer.slice(at).trim()];
}

function cellsOf(row: RegisteredDecision): string[] {
  const operations = OPERATIONS.get(row.slug)?.join(' ');
  const [short, rest] = parted(row.answer);
  const sources = row.pages === undefined ? '' : `Source: ${row.pages.join('; ')}.`;
  const more = [withLinks(rest), sources].filter((text) => text !== '').join(' ');
  return [
    `<a id="${row.slug}"${operations === undefined ? '' : ` data-operations="${operations}"`}></a>\`${row.slug}\``,
    row.question,
    withLinks(short) + (more === '' ? '' : ` <details><summary>More</summary>${more}</details>`),
    howKnown(row),
  ];
}

function printFidelity(): string {
  const areas = Object.entries(AREAS) as [Area, string][];
  const inArea = (area: Area, evidence: Evidence): string =>
    String(REGISTER.filter((row) => row.area === area && row.evidence === evidence).length);
  const counts = table(
    ['Evidence', 'Meaning', 'Rows', ...areas.map(([, title]) => title)],
    [
      ...(Object.entries(MEANINGS) as [Evidence, string][]).map(([evidence, meaning]) => [
        evidence,
        meaning,
        count(evidence),
        ...areas.map(([area]) => inArea(area, evidence)),
      ]),
      [
        'recording',
        'in addition, a recording of the platform confirms or contradicts it',
        String(REGISTER.filter(isRecorded).length),
        ...areas.map(([area]) =>
          String(REGISTER.filter((row) => row.area === area && isRecorded(row)).length),
        ),
      ],
    ],
  );
  const sections = areas.map(([area, title]) => {
    const rows = REGISTER.filter((row) => row.area === area);
    return `## ${title}\n\n${table(['Decision', 'Question', 'Answer', 'Evidence'], rows.map(cellsOf))}\n`;
  });
  return [HEAD, `${counts}\n`, ...sections].join('\n');
}

export const FIDELITY_PAGE: Page = {
  path: 'docs/fidelity.md',
  printedBy: 'node build/print-fidelity.ts',
  text: printFidelity,
};

const COUNTS = /^\d+ documented, \d+ from samples, (?:\d+ from clients, )?\d+ inferred, \d+ decided by us\./m;

/** The README's sentence with the number of decisions by evidence, which is on a separate line. */
export const README_COUNTS: Page = {
  path: 'README.md',
  printedBy: 'node build/print-fidelity.ts',
  text: (present) => present.replace(COUNTS, countsByGrade()),
};

function countsByGrade(): string {
  return `${count('documented')} documented, ${count('sample')} from samples, ${count('client')} from clients, ${count('inferred')} inferred, ${count('ours')} decided by us.`;
}

if (import.meta.main) {
  for (const page of [FIDELITY_PAGE, README_COUNTS]) print(page);
}
