/**
 * The scripts of the collections. Before each request a script reads the ids of the initial records from the bank, so
 * that a collection works with any bank. With `startOver` it first resets the bank, so that all requests can run in
 * sequence.
 */
import type { Step } from './steps.ts';

/** The script API of a program. */
export interface Tool {
  /** Returns the expression that reads a variable. */
  readonly read: (name: string) => string;
  readonly write: (name: string, value: string) => string;
  /** A function `send({ method, url, headers, body })` that returns the body of the response. */
  readonly send: string;
}

/** The script before every request. */
export function beforeAll({ read, write, send }: Tool): string[] {
  return [
    ...helpers({ read, write, send }),
    `if (${read("'startOver'")} === 'yes') await call('POST', '/_sandbox/reset');`,
    "const { seeded = {} } = await call('GET', '/_sandbox');",
    `for (const [name, id] of Object.entries(seeded)) ${write('name', 'id')};`,
  ];
}

/** The script before a specific request. */
export function beforeOne(tool: Tool, steps: readonly Step[]): string[] {
  const { write } = tool;
  return [
    ...helpers(tool),
    ...steps.map(({ method, path, body, keep }) => {
      const sent = body === undefined ? '' : `, ${JSON.stringify(body)}`;
      const request = `await call('${method}', '${path}'${sent})`;
      if (keep === undefined) return `${request};`;
      const [name, place] = keep;
      return `${write(
        `'${name}'`,
        place.split('.').reduce((value, part) => `${value}?.[${JSON.stringify(part)}]`, `(${request})`),
      )};`;
    }),
  ];
}

function helpers({ read, send }: Tool): string[] {
  return [
    `const fill = (text) => text.replace(/\\{\\{(\\w+)\\}\\}/g, (_, name) => ${read('name')});`,
    ...send.split('\n'),
    'const call = (method, path, body) => {',
    `  const headers = { 'api-key': ${read("'apiKey'")}, 'content-type': 'application/json' };`,
    `  if (${read("'controlToken'")}) headers['x-control-token'] = ${read("'controlToken'")};`,
    `  return send({ method, url: ${read("'baseUrl'")} + fill(path), headers, body: body === undefined ? undefined : fill(JSON.stringify(body)) });`,
    '};',
  ];
}
