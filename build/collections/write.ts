/** Writes the collections into a folder, which is served and packed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brunoZip } from './bruno.ts';
import { postmanCollection } from './postman.ts';
import { collectionParts } from './requests.ts';

const DESCRIPTION = [
  'All operations of Sandbank, in groups. The ids of the initial records are read from the bank before each request.',
  '',
  'Variables: baseUrl, apiKey (test_<name> opens the sandbox <name>), controlToken (if the control plane requires one),',
  'startOver (yes: the sandbox is reset before each request, so that all requests can be run in a row).',
].join('\n');

/** Writes `postman.json` and `bruno.zip`. */
export async function writeCollections(folder: string): Promise<void> {
  const parts = await collectionParts();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'postman.json'), JSON.stringify(postmanCollection(parts, DESCRIPTION)));
  writeFileSync(join(folder, 'bruno.zip'), brunoZip(parts, DESCRIPTION));
}
