/**
 * The request of an operation's example in four languages: curl, Node with the typed client, Python and Go with what each
 * brings along.
 */

/** A request as the examples of a document have it. */
export interface ExampleRequest {
  readonly method: string;
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly keyHeader: string;
  readonly key: string;
  readonly body?: unknown;
  /** The type of a body that is not JSON: bytes, or a form. */
  readonly bodyType?: string;
  /** The parts of a form. */
  readonly files: readonly string[];
  /** The method of the typed client, like `v2.originateAchPull`. */
  readonly call: string;
}

/** The languages in their order, with how each writes a request to a bank at an address. */
export const LANGUAGES: readonly {
  readonly name: string;
  readonly write: (request: ExampleRequest, address: string) => string;
}[] = [
  { name: 'curl', write: curl },
  { name: 'Node', write: node },
  { name: 'Python', write: python },
  { name: 'Go', write: go },
];

const json = (value: unknown, indent = 2): string => JSON.stringify(value, null, indent);
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

function urlOf({ path, params, query }: ExampleRequest, address: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? `{${name}}`),
  );
  const search = new URLSearchParams(query).toString();
  return `${address}${filled}${search === '' ? '' : `?${search}`}`;
}

function curl(request: ExampleRequest, address: string): string {
  const { method, keyHeader, key, body, bodyType, files } = request;
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl -s ${isPlain ? '' : `-X ${method} `}${quote(urlOf(request, address))}`,
    `-H ${quote(`${keyHeader}: ${key}`)}`,
    ...(body === undefined ? [] : [`--json ${quote(json(body))}`]),
    ...files.map((part) => `-F ${quote(`${part}=@${part}.png`)}`),
    ...(bodyType === undefined || files.length > 0
      ? []
      : [`-H ${quote(`content-type: ${bodyType}`)}`, '--data-binary @file']),
  ].join(' \\\n  ');
}

function node(request: ExampleRequest, address: string): string {
  const { params, query, body, bodyType, files, key, call } = request;
  const parts = [
    ...(Object.keys(params).length === 0 ? [] : [`params: ${json(params)}`]),
    ...(Object.keys(query).length === 0 ? [] : [`query: ${json(query)}`]),
    ...(body === undefined ? [] : [`body: ${json(body)}`]),
    ...(files.length === 0
      ? []
      : [
          `files: { ${files.map((part) => `${part}: await openAsBlob('${part}.png', { type: 'image/png' })`).join(', ')} }`,
        ]),
    ...(bodyType === undefined || files.length > 0 ? [] : ["body: await readFile('file')"]),
  ];
  const reads =
    files.length > 0
      ? ["import { openAsBlob } from 'node:fs';"]
      : bodyType === undefined
        ? []
        : ["import { readFile } from 'node:fs/promises';"];
  const argument =
    parts.length === 0 ? '' : `{\n  ${parts.map((part) => indented(part, '  ')).join(',\n  ')},\n}`;
  return [
    ...reads,
    "import { createClient } from 'sandbank/client';",
    '',
    `const client = createClient({ url: '${address}', apiKey: '${key}' });`,
    `const answer = await client.${call}(${argument});`,
    'console.log(answer);',
  ].join('\n');
}

/** A value of JSON as Python writes it. */
function pythonValue(value: unknown, by = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${by}    `;
  const items = Array.isArray(value)
    ? value.map((item) => `${inner}${pythonValue(item, inner)}`)
    : Object.entries(value as object).map(
        ([name, item]) => `${inner}${JSON.stringify(name)}: ${pythonValue(item, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')},\n${by}${close}`;
}

function python(request: ExampleRequest, address: string): string {
  const { method, keyHeader, key, body, bodyType, files } = request;
  if (files.length > 0)
    return `# Send a form with the files ${files.join(' and ')}, for example with the package requests.`;
  const type = body === undefined ? bodyType : 'application/json';
  const headers = { [keyHeader]: key, ...(type !== undefined && { 'content-type': type }) };
  const data =
    body === undefined ? 'open("file", "rb").read()' : `json.dumps(${pythonValue(body, '    ')}).encode()`;
  return [
    'import json',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(urlOf(request, address))},`,
    `    method="${method}",`,
    `    headers=${pythonValue(headers, '    ')},`,
    ...(type === undefined ? [] : [`    data=${data},`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.read().decode())',
  ].join('\n');
}

function go(request: ExampleRequest, address: string): string {
  const { method, keyHeader, key, body, bodyType, files } = request;
  if (files.length > 0)
    return `// Send a form with the files ${files.join(' and ')}: package mime/multipart.`;
  const type = body === undefined ? bodyType : 'application/json';
  const reader = body === undefined ? (type === undefined ? 'nil' : 'file') : 'body';
  return [
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    ...(reader === 'file' ? ['\t"os"'] : reader === 'body' ? ['\t"strings"'] : []),
    ')',
    '',
    'func main() {',
    ...(reader === 'body' ? [`\tbody := strings.NewReader(\`${json(body)}\`)`] : []),
    ...(reader === 'file' ? ['\tfile, _ := os.Open("file")'] : []),
    `\trequest, _ := http.NewRequest("${method}", ${JSON.stringify(urlOf(request, address))}, ${reader})`,
    `\trequest.Header.Set("${keyHeader}", "${key}")`,
    ...(type === undefined ? [] : [`\trequest.Header.Set("content-type", "${type}")`]),
    '\tanswer, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\ttext, _ := io.ReadAll(answer.Body)',
    '\tfmt.Println(answer.Status, string(text))',
    '}',
  ].join('\n');
}
