// Prints the findings of Spectral's recommended `oas` rules in the named documents, as JSON.
import { readFileSync } from 'node:fs';
import core from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas] });
const found = [];
for (const file of process.argv.slice(2)) {
  const problems = await spectral.run(JSON.parse(readFileSync(file, 'utf8')));
  found.push(
    ...problems.map(({ code, message, path }) => `${file}: ${code}: ${message} at ${path.join('/')}`),
  );
}
process.stdout.write(JSON.stringify(found));
