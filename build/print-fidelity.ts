/**
 * Prints docs/fidelity.md, and the counts in the README, from the register in data/decisions.json. `node
 * build/print-fidelity.ts` writes the page, `--check` only checks whether it is up to date.
 */
import {
  type Area,
  GRADE_WORDS,
  type Grade,
  howKnown,
  REGISTER,
  type RegisteredDecision,
} from '../src/bank/model/fidelity.ts';
import { type Page, print, table } from './page.ts';

const AREAS: Readonly<Record<Area, string>> = {
  interface: 'Interface',
  behaviour: 'Records',
  rails: 'Payments',
  webhooks: 'Webhooks',
  control: 'Sandbank only',
};

const GRADES: Readonly<Record<Grade, string>> = {
  documented: 'stated on a page of the platform',
  sample: 'shown only in a published example',
  client: 'a public client of the platform relies on it, but it is not stated',
  inferred: 'concluded from pages or examples, but not stated',
  invented: 'no published source, or a deliberate difference',
};

const HEAD = `<!-- Printed by build/print-fidelity.ts from data/decisions.json: change that file, not this one. -->
# Fidelity

Solid's documents leave many questions open, and some pages contradict each other. This page has a row for each question, with the decision
that Sandbank follows. Code and documents refer to a row by its slug; the answers refer to it by its number. "The platform" is Solid.

The column "Evidence" is that of the whole answer. If the evidence for a part of the answer is weaker, the answer says so. \`ours\` is called
\`invented\` in \`GET /_sandbox/assumptions\`. \`recording (2026-11-25)\` means that the responses of the platform were
[compared](guides/compare.md) with this bank on that day and agreed in every field that the row names. \`recording (2026-11-25): contradicts it\`
means that they did not agree. Rows without these words were not compared.

The last column names the source of an answer, or the source from which it deliberately differs: a page of the v1 or v2 reference (\`v1\`,
\`v2\`), a guide of v2 (\`guide\`), an article of the help center (\`help\`), or a public client that works with the platform (\`client\`).
"none" means that there is no published source, and the answer is ours.
`;

const isRecorded = ({ recording }: Pick<RegisteredDecision, 'recording'>): boolean => recording !== undefined;
const count = (grade: Grade): string => String(REGISTER.filter((row) => row.grade === grade).length);

const SLUGS = new Map(REGISTER.map(({ number, slug }) => [number, slug]));

/** Converts references to other rows into links. */
function withLinks(answer: string): string {
  return answer.replaceAll(/\brow (\d+[a-z]?)\b/g, (words, number: string) => {
    const slug = SLUGS.get(number);
    return slug === undefined ? words : `[${words}](#${slug})`;
  });
}

function printFidelity(): string {
  const areas = Object.entries(AREAS) as [Area, string][];
  const inArea = (area: Area, grade: Grade): string =>
    String(REGISTER.filter((row) => row.area === area && row.grade === grade).length);
  const grades = table(
    ['Evidence', 'Meaning', 'Rows', ...areas.map(([, title]) => title)],
    [
      ...(Object.entries(GRADES) as [Grade, string][]).map(([grade, meaning]) => [
        GRADE_WORDS[grade],
        meaning,
        count(grade),
        ...areas.map(([area]) => inArea(area, grade)),
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
  const sections = Object.entries(AREAS).map(([area, title]) => {
    const rows = REGISTER.filter((row) => row.area === area);
    const cells = rows.map((row) => [
      `<a id="${row.slug}"></a>${row.number}`,
      `\`${row.slug}\``,
      row.question,
      withLinks(row.answer),
      howKnown(row),
      (row.pages ?? ['none']).join('; '),
    ]);
    return `## ${title}\n\n${table(['#', 'Slug', 'Question', 'Answer', 'Evidence', 'Page'], cells)}\n`;
  });
  return [HEAD, `${grades}\n`, ...sections].join('\n');
}

export const FIDELITY_PAGE: Page = {
  path: 'docs/fidelity.md',
  printedBy: 'node build/print-fidelity.ts',
  text: printFidelity,
};

const COUNTS = /^\d+ documented, \d+ from samples, (?:\d+ from clients, )?\d+ inferred, \d+ decided by us\./m;

/** The README's sentence with the number of decisions by grade, which is on a separate line. */
export const README_COUNTS: Page = {
  path: 'README.md',
  printedBy: 'node build/print-fidelity.ts',
  text: (present) => present.replace(COUNTS, countsByGrade()),
};

function countsByGrade(): string {
  return `${count('documented')} documented, ${count('sample')} from samples, ${count('client')} from clients, ${count('inferred')} inferred, ${count('invented')} decided by us.`;
}

if (import.meta.main) {
  for (const page of [FIDELITY_PAGE, README_COUNTS]) print(page);
}
