/** The files of the collections, made for the address of the bank that serves them. */
import { brunoZip } from './bruno.ts';
import { postmanCollection } from './postman.ts';
import { collectionParts } from './requests.ts';

const DESCRIPTION = [
  'All operations of Sandbank, in groups. The ids of the initial records are read from the bank before each request.',
  '',
  'Variables: baseUrl, apiKey (test_<name> opens the sandbox <name>), controlToken (if the control plane requires one),',
  'startOver (yes: the sandbox is reset before each request, so that all requests can be run in a row).',
].join('\n');

/** The collection for Postman as JSON, or for Bruno as a zip. */
export async function collectionFile(
  program: 'postman' | 'bruno',
  address: string,
): Promise<string | Buffer> {
  const parts = await collectionParts();
  return program === 'postman'
    ? JSON.stringify(postmanCollection(parts, DESCRIPTION, address))
    : Buffer.from(brunoZip(parts, DESCRIPTION, address));
}
