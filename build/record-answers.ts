/**
 * Records the responses of all operations into fixtures/answers, one file per OpenAPI document, and prints how the
 * refusals were caused. `npm run answers`, or `npm run answers v2` for one of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { answersFile } from '../src/reference/openapi/answers.ts';
import { API_DOCUMENTS } from '../src/reference/openapi/document.ts';
import { printRecording, recordDocument } from './answers/record.ts';

const only = process.argv[2];

for (const { name } of API_DOCUMENTS.filter((document) => only === undefined || document.name === only)) {
  const file = answersFile(name);
  mkdirSync(new URL('.', file), { recursive: true });
  const { answers, provoked } = await recordDocument(name);
  writeFileSync(file, printRecording(answers));
  if (process.argv.includes('--faults')) {
    const codes = Object.groupBy(
      provoked.filter(({ by }) => by === 'fault'),
      ({ code }) => code,
    );
    for (const [code, all] of Object.entries(codes))
      process.stdout.write(`  ${code} ${all?.length}: ${all?.map(({ id }) => id).join(' ')}\n`);
  }
  const faults = provoked.filter(({ by }) => by === 'fault').length;
  process.stdout.write(
    `${name}: ${Object.keys(answers.operations).length} operations, ${provoked.length} refusals, ${faults} of them by a fault\n`,
  );
}
