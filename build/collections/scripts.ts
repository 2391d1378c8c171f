/**
 * The scripts of the collections. Before each request the ids of the first records are read from the bank, so that a
 * collection works with any bank; `startOver` first brings the bank back, so that all requests can be run in a row.
 */
import type { Step } from './steps.ts';

/** How a program of collections is called from a script. */
export interface Dialect {
  /** An expression for a variable, by its name as an expression. */
  readonly read: (name: string) => string;
  readonly write: (name: string, value: string) => string;
  /** A function `send({ method, url, headers, body })`, which answers the body of an answer. */
  readonly send: string;
}

/** Before every request. */
export function beforeAll({ read, write, send }: Dialect): string[] {
  return [
    ...helpers({ read, write, send }),
    `if (${read("'startOver'")} === 'yes') await call('POST', '/_sandbox/reset');`,
    "const { seeded = {} } = await call('GET', '/_sandbox');",
    `for (const [name, id] of Object.entries(seeded)) ${write('name', 'id')};`,
  ];
}

/** Before one request. */
export function beforeOne(dialect: Dialect, steps: readonly Step[]): string[] {
  const { write } = dialect;
  return [
    ...helpers(dialect),
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

function helpers({ read, send }: Dialect): string[] {
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
