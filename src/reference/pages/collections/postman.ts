/**
 * The collection for Postman, in its format v2.1.
 */
import { type CollectionPart, type CollectionRequest, DEFAULT_KEY } from './requests.ts';
import { beforeAll, beforeOne, type Tool } from './scripts.ts';
import { variable } from './steps.ts';

const POSTMAN: Tool = {
  read: (name) => `pm.variables.get(${name})`,
  write: (name, value) => `pm.collectionVariables.set(${name}, ${value})`,
  send: [
    'const send = ({ method, url, headers, body }) => new Promise((resolve, reject) => {',
    "  const request = { method, url, header: headers, body: body === undefined ? undefined : { mode: 'raw', raw: body } };",
    '  pm.sendRequest(request, (error, answer) => {',
    '    if (error) reject(error);',
    '    else resolve(answer.text() ? answer.json() : {});',
    '  });',
    '});',
  ].join('\n'),
};

/** The test script of each request. */
const TEST = [
  "pm.test('returns 2xx', () => {",
  '  pm.expect(Math.floor(pm.response.code / 100), pm.response.text()).to.equal(2);',
  '});',
];

/**
 * Wraps a script in a function, because Postman has no top-level `await`. The request waits for everything that the
 * script sends.
 */
const inFunction = (lines: readonly string[]): string[] => [
  '(async () => {',
  ...lines.map((line) => `  ${line}`),
  '})();',
];

const event = (listen: string, exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const apiKey = (header: string) => ({
  type: 'apikey',
  apikey: [
    { key: 'key', value: header, type: 'string' },
    { key: 'value', value: variable('apiKey'), type: 'string' },
    { key: 'in', value: 'header', type: 'string' },
  ],
});

/** The collection as JSON. */
export function postmanCollection(
  parts: readonly CollectionPart[],
  description: string,
  address: string,
): object {
  return {
    info: {
      name: 'Sandbank',
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: apiKey('api-key'),
    variable: [
      { key: 'baseUrl', value: address },
      { key: 'apiKey', value: DEFAULT_KEY },
      { key: 'controlToken', value: '' },
      { key: 'startOver', value: 'no' },
    ],
    event: [event('prerequest', inFunction(beforeAll(POSTMAN))), event('test', TEST)],
    item: parts.map(({ title, keyHeader, requests }) => ({
      name: title,
      // A folder of v1 has the key header of v1; the others inherit that of the collection.
      ...(keyHeader !== 'api-key' && { auth: apiKey(keyHeader) }),
      item: [...Map.groupBy(requests, ({ group }) => group)].map(([group, members]) => ({
        name: group,
        item: members.map((request) => itemOf(request, title === 'Control plane')),
      })),
    })),
  };
}

function itemOf(request: CollectionRequest, isControl: boolean): object {
  const { name, steps } = request;
  const sent = sentOf(request, isControl);
  return {
    name,
    ...(steps.length > 0 && { event: [event('prerequest', inFunction(beforeOne(POSTMAN, steps)))] }),
    request: sent,
    response: responsesOf(request).map((response) => ({ ...response, originalRequest: sent, status: '' })),
  };
}

/** The recorded response; none for a file. A 204 has no body. */
function responsesOf({ status, answer }: CollectionRequest): object[] {
  if (status === 204) return [{ name: '204', code: 204, header: [], body: '' }];
  if (answer === undefined) return [];
  const isText = typeof answer === 'string';
  return [
    {
      name: `${status}`,
      code: status,
      _postman_previewlanguage: isText ? 'text' : 'json',
      header: [{ key: 'content-type', value: isText ? 'text/plain' : 'application/json' }],
      body: isText ? answer : JSON.stringify(answer, null, 2),
    },
  ];
}

function sentOf(
  { method, path, query, headers, body, bodyType, description }: CollectionRequest,
  isControl: boolean,
): object {
  const search = Object.entries(query).map(([key, value]) => ({ key, value }));
  const tail = search.length === 0 ? '' : `?${search.map(({ key, value }) => `${key}=${value}`).join('&')}`;
  const header = [
    ...Object.entries(headers),
    ...(bodyType === undefined ? [] : [['content-type', bodyType]]),
    ...(isControl ? [['x-control-token', variable('controlToken')]] : []),
  ].map(([key, value]) => ({ key, value }));
  return {
    method,
    header,
    url: {
      raw: `${variable('baseUrl')}/${path.join('/')}${tail}`,
      host: [variable('baseUrl')],
      path,
      ...(search.length > 0 && { query: search }),
    },
    ...(body !== undefined && {
      body: {
        mode: 'raw',
        raw: body,
        options: { raw: { language: bodyType === 'application/json' ? 'json' : 'text' } },
      },
    }),
    ...(description !== '' && { description }),
  };
}
