/**
 * The collection for Bruno: a folder of text files, in a zip.
 */
import { strToU8, zipSync } from 'fflate';
import { type CollectionPart, type CollectionRequest, DEFAULT_KEY } from './requests.ts';
import { beforeAll, beforeOne, type Tool } from './scripts.ts';
import { variable } from './steps.ts';

const BRUNO: Tool = {
  read: (name) => `(bru.getVar(${name}) ?? bru.getEnvVar(${name}))`,
  write: (name, value) => `bru.setVar(${name}, ${value})`,
  send: [
    'const send = async ({ method, url, headers, body }) => {',
    '  const answer = await bru.sendRequest({ method, url, headers, data: body }).catch(({ response = {} }) => response);',
    "  return typeof answer.data === 'object' && answer.data !== null ? answer.data : {};",
    '};',
  ].join('\n'),
};

const TEST = [
  "test('returns 2xx', () => {",
  '  expect(Math.floor(res.getStatus() / 100), String(res.getStatus())).to.equal(2);',
  '});',
];

const indent = (lines: readonly string[]): string =>
  lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
const block = (name: string, lines: readonly string[]): string => `${name} {\n${indent(lines)}\n}\n`;
const pairs = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).map(([key, value]) => `${key}: ${value}`);
const fileName = (text: string): string =>
  text
    .replaceAll(/[^\w .-]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();

const FOLDER = 'sandbank';
/** A constant modification time, so that the same sources produce the same zip. */
const MADE_AT = new Date(2020, 0, 1);

/** The files of the collection by name. */
function brunoFiles(
  parts: readonly CollectionPart[],
  description: string,
  address: string,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const add = (name: string, text: string): void => void files.set(`${FOLDER}/${name}`, strToU8(text));
  add(
    'bruno.json',
    `${JSON.stringify({ version: '1', name: 'Sandbank', type: 'collection', ignore: [] }, null, 2)}\n`,
  );
  add(
    'collection.bru',
    [
      block('meta', ['name: Sandbank']),
      block('auth', ['mode: apikey']),
      keyBlock('api-key'),
      block('script:pre-request', beforeAll(BRUNO)),
      block('tests', TEST),
      block('docs', description.split('\n')),
    ].join('\n'),
  );
  const local = { baseUrl: address, apiKey: DEFAULT_KEY, controlToken: '', startOver: 'no' };
  add('environments/local.bru', block('vars', pairs(local)));
  parts.forEach(({ title, keyHeader, requests }, at) => {
    add(`${title}/folder.bru`, folderText(title, at + 1, keyHeader));
    const groups = [...Map.groupBy(requests, ({ group }) => group)];
    groups.forEach(([group, members], place) => {
      add(`${title}/${group}/folder.bru`, folderText(group, place + 1));
      members.forEach((request, seq) => {
        add(
          `${title}/${group}/${fileName(request.name)} (${request.id}).bru`,
          requestText(request, seq + 1, title === 'Control plane'),
        );
        for (const { name, bytes } of request.files ?? []) files.set(`${FOLDER}/${name}`, bytes);
      });
    });
  });
  return files;
}

/** The collection as a zip. */
export function brunoZip(parts: readonly CollectionPart[], description: string, address: string): Uint8Array {
  return zipSync(Object.fromEntries(brunoFiles(parts, description, address)), { mtime: MADE_AT });
}

const keyBlock = (header: string): string =>
  block('auth:apikey', pairs({ key: header, value: variable('apiKey'), placement: 'header' }));

function folderText(name: string, seq: number, keyHeader?: string): string {
  const auth =
    keyHeader === undefined
      ? [block('auth', ['mode: inherit'])]
      : [block('auth', ['mode: apikey']), keyBlock(keyHeader)];
  return [block('meta', pairs({ name, seq: String(seq) })), ...auth].join('\n');
}

function requestText(request: CollectionRequest, seq: number, isControl: boolean): string {
  const { name, method, path, query, headers, body, bodyType, steps, answer, description, status } = request;
  const { files } = request;
  const kind = files !== undefined ? 'multipartForm' : body === undefined ? 'none' : 'json';
  const search =
    Object.keys(query).length === 0
      ? ''
      : `?${pairs(query)
          .map((pair) => pair.replace(': ', '='))
          .join('&')}`;
  const header = {
    ...headers,
    ...(files === undefined && bodyType !== undefined && { 'content-type': bodyType }),
    ...(isControl && { 'x-control-token': variable('controlToken') }),
  };
  const text =
    answer !== undefined
      ? ['Answer:', '', '```json', ...JSON.stringify(answer, null, 2).split('\n'), '```']
      : status === 204
        ? ['Answer: 204, without a body.']
        : [];
  const docs = [...(description === '' ? [] : [...description.split('\n'), '']), ...text];
  return [
    block('meta', pairs({ name, type: 'http', seq: String(seq) })),
    block(
      method.toLowerCase(),
      pairs({ url: `${variable('baseUrl')}/${path.join('/')}${search}`, body: kind, auth: 'inherit' }),
    ),
    ...(search === '' ? [] : [block('params:query', pairs(query))]),
    ...(Object.keys(header).length === 0 ? [] : [block('headers', pairs(header))]),
    ...(kind === 'json' ? [block('body:json', (body ?? '').split('\n'))] : []),
    ...(files === undefined
      ? []
      : [
          block(
            'body:multipart-form',
            files.map(({ part, name: file, type }) => `${part}: @file(${file}) @contentType(${type})`),
          ),
        ]),
    ...(steps.length === 0 ? [] : [block('script:pre-request', beforeOne(BRUNO, steps))]),
    ...(docs.length === 0 ? [] : [block('docs', docs)]),
  ].join('\n');
}
