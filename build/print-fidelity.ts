/**
 * Prints docs/fidelity.md, and the counts in the README, from the register in data/decisions.json. `node build/print-fidelity.ts` writes the page,
 * `--check` only says whether it is up to date.
 */
import { type Area, type Grade, REGISTER } from '../src/model/fidelity.ts';
import { type Page, print, table } from './page.ts';

const AREAS: Readonly<Record<Area, string>> = {
  interface: 'The interface',
  behaviour: 'The nouns',
  rails: 'Money on its way',
  webhooks: 'Webhooks',
  control: 'What is ours',
};

const GRADES: Readonly<Record<Grade, string>> = {
  documented: 'a page of the platform states it',
  sample: 'only a published example shows it',
  inferred: 'concluded from pages or examples; nobody states it',
  invented: 'nothing published speaks of it, or the bank deliberately does otherwise',
};

const HEAD = `<!-- Printed by build/print-fidelity.ts from data/decisions.json: change that file, not this one. -->
# Fidelity

Solid's documents leave many questions open. Sandbank had to decide each of them, and every decision is a row below. Code and
documents name a row by its slug; the answers name it by its number. "Not served yet." at the end of an answer means that the
decision is made but not built.

The grade says how sure the whole answer is. If a part is less sure, the answer says so.

The last column names what an answer rests on, or deliberately departs from: a page of the v1 or v2 reference (\`v1\`, \`v2\`), a
guide of v2 (\`guide\`), an article of the help center (\`help\`), or a public client that works with the platform (\`client\`).
"none" means that nothing published speaks of it, and the answer is ours.
`;

const count = (grade: Grade): string => String(REGISTER.filter((row) => row.grade === grade).length);

const SLUGS = new Map(REGISTER.map(({ number, slug }) => [number, slug]));

/** An answer names other rows by their numbers; each is a link. */
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
    ['Grade', 'How it is known', 'Rows', ...areas.map(([, title]) => title)],
    (Object.entries(GRADES) as [Grade, string][]).map(([grade, meaning]) => [
      grade,
      meaning,
      count(grade),
      ...areas.map(([area]) => inArea(area, grade)),
    ]),
  );
  const sections = Object.entries(AREAS).map(([area, title]) => {
    const rows = REGISTER.filter((row) => row.area === area);
    const cells = rows.map(({ number, slug, question, answer, grade, pages = ['none'] }) => [
      `<a id="${slug}"></a>${number}`,
      `\`${slug}\``,
      question,
      withLinks(answer),
      grade,
      pages.join('; '),
    ]);
    return `## ${title}\n\n${table(['#', 'Slug', 'Question', 'Answer', 'Grade', 'Page'], cells)}\n`;
  });
  return [HEAD, `${grades}\n`, ...sections].join('\n');
}

export const FIDELITY_PAGE: Page = {
  path: 'docs/fidelity.md',
  printedBy: 'node build/print-fidelity.ts',
  text: printFidelity,
};

const COUNTS = /^\d+ documented, \d+ from samples, \d+ inferred, \d+ decided by us\./m;

/** The README's sentence that counts the decisions by grade stands on a line of its own. */
export const README_COUNTS: Page = {
  path: 'README.md',
  printedBy: 'node build/print-fidelity.ts',
  text: (present) =>
    present.replace(
      COUNTS,
      `${count('documented')} documented, ${count('sample')} from samples, ${count('inferred')} inferred, ${count('invented')} decided by us.`,
    ),
};

if (import.meta.main) for (const page of [FIDELITY_PAGE, README_COUNTS]) print(page);
