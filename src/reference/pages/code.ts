/**
 * The request of an operation's example in four languages: curl, Node with the typed client, and Python and Go with
 * their standard libraries.
 */

/** The example request of an operation. */
export interface ExampleRequest {
  readonly method: string;
  /** The path, with its parameters as `{name}`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly keyHeader: string;
  readonly key: string;
  /** Further headers of the operation: a person, a token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The type of a body that is not JSON: bytes or a form. */
  readonly bodyType?: string;
  /** The parts of a form. */
  readonly files: readonly string[];
  /** The method of the typed client, like `v2.originateAchPull`. */
  readonly call: string;
}

/** The languages in their order, each with a function that writes a request to a bank at an address. */
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

/** A value from an earlier call is in braces, and is not encoded. */
const encodePart = (value: string): string => (value.startsWith('{') ? value : encodeURIComponent(value));

function urlOf({ path, params, query }: ExampleRequest, address: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePart(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return `${address}${filled}${search === '' ? '' : `?${search}`}`;
}

/** The headers of a request that is not a form. */
function headersOf({ keyHeader, key, headers, body, bodyType }: ExampleRequest): Record<string, string> {
  const type = body === undefined ? bodyType : 'application/json';
  return { [keyHeader]: key, ...headers, ...(type !== undefined && { 'content-type': type }) };
}

function curl(request: ExampleRequest, address: string): string {
  const { method, keyHeader, key, headers, body, bodyType, files } = request;
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const hasBody = body !== undefined || bodyType !== undefined;
  const isPlain = method === (hasBody ? 'POST' : 'GET');
  return [
    `curl -s ${isPlain ? '' : `-X ${method} `}${quote(urlOf(request, address))}`,
    ...Object.entries({ [keyHeader]: key, ...headers }).map(
      ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`--json ${quote(json(body))}`]),
    ...files.map((part) => `-F ${quote(`${part}=@${part}.png`)}`),
    ...(bodyType === undefined || files.length > 0
      ? []
      : [`-H ${quote(`content-type: ${bodyType}`)}`, '--data-binary @file']),
  ].join(' \\\n  ');
}

/** An object of JavaScript, without quotes around the names that need none. */
const object = (value: unknown): string => json(value).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');

function node(request: ExampleRequest, address: string): string {
  const { params, query, headers, body, bodyType, files, key, call } = request;
  const isBytes = bodyType !== undefined && files.length === 0;
  const forms = files.map((part) => `${part}: await openAsBlob('${part}.png', { type: 'image/png' })`);
  const isEmpty = (values: object): boolean => Object.keys(values).length === 0;
  const parts = [
    ...(isEmpty(params) ? [] : [`params: ${object(params)}`]),
    ...(isEmpty(query) ? [] : [`query: ${object(query)}`]),
    ...(body === undefined ? [] : [`body: ${object(body)}`]),
    ...(files.length === 0 ? [] : [`files: {\n  ${forms.join(',\n  ')},\n}`]),
    ...(isBytes ? ["body: await readFile('file')"] : []),
    ...(isEmpty(headers) ? [] : [`headers: ${object(headers)}`]),
  ];
  const argument =
    parts.length === 0 ? '' : `{\n  ${parts.map((part) => indented(part, '  ')).join(',\n  ')},\n}`;
  return [
    ...(files.length > 0 ? ["import { openAsBlob } from 'node:fs';"] : []),
    ...(isBytes ? ["import { readFile } from 'node:fs/promises';"] : []),
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

/** Builds a form from files. */
const pythonForm = (files: readonly string[]): string[] => [
  'boundary = uuid.uuid4().hex',
  'data = b""',
  `for part in ${json(files, 0)}:`,
  '    data += (',
  `        f'--{boundary}\\r\\ncontent-disposition: form-data; name="{part}"; filename="{part}.png"\\r\\n'`,
  "        'content-type: image/png\\r\\n\\r\\n'",
  '    ).encode()',
  '    data += open(f"{part}.png", "rb").read() + b"\\r\\n"',
  'data += f"--{boundary}--\\r\\n".encode()',
  '',
];

function python(request: ExampleRequest, address: string): string {
  const { method, keyHeader, key, headers, body, bodyType, files } = request;
  const isForm = files.length > 0;
  const sent = isForm ? { [keyHeader]: key, ...headers } : headersOf(request);
  const written = pythonValue(sent, '    ');
  const type = '        "content-type": f"multipart/form-data; boundary={boundary}",\n    }';
  const data = isForm
    ? 'data'
    : body === undefined
      ? 'open("file", "rb").read()'
      : `json.dumps(${pythonValue(body, '    ')}).encode()`;
  return [
    ...(body === undefined ? [] : ['import json']),
    'import urllib.request',
    ...(isForm ? ['import uuid'] : []),
    '',
    ...(isForm ? pythonForm(files) : []),
    'request = urllib.request.Request(',
    `    ${JSON.stringify(urlOf(request, address))},`,
    `    method="${method}",`,
    `    headers=${isForm ? written.replace(/ {4}\}$/, type) : written},`,
    ...(body === undefined && bodyType === undefined ? [] : [`    data=${data},`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.read().decode())',
  ].join('\n');
}

/** Builds the reader of a form from files. */
const goForm = (files: readonly string[]): string[] => [
  '\tbody := &bytes.Buffer{}',
  '\tform := multipart.NewWriter(body)',
  `\tfor _, part := range []string{${files.map((part) => `"${part}"`).join(', ')}} {`,
  '\t\theader := textproto.MIMEHeader{}',
  '\t\theader.Set("content-disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s.png"`, part, part))',
  '\t\theader.Set("content-type", "image/png")',
  '\t\twriter, _ := form.CreatePart(header)',
  '\t\tpicture, _ := os.ReadFile(part + ".png")',
  '\t\twriter.Write(picture)',
  '\t}',
  '\tform.Close()',
];

function go(request: ExampleRequest, address: string): string {
  const { method, keyHeader, key, headers, body, bodyType, files } = request;
  const isForm = files.length > 0;
  const isFile = bodyType !== undefined && !isForm;
  const reader = isFile ? 'file' : body === undefined && !isForm ? 'nil' : 'body';
  const packages = [
    ...(isForm ? ['bytes'] : []),
    'fmt',
    'io',
    ...(isForm ? ['mime/multipart'] : []),
    'net/http',
    ...(isForm ? ['net/textproto'] : []),
    ...(isForm || isFile ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
  const sent = isForm ? { [keyHeader]: key, ...headers } : headersOf(request);
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(isForm ? goForm(files) : []),
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(\`${json(body)}\`)`]),
    ...(isFile ? ['\tfile, _ := os.Open("file")'] : []),
    `\trequest, _ := http.NewRequest("${method}", ${JSON.stringify(urlOf(request, address))}, ${reader})`,
    ...Object.entries(sent).map(([name, value]) => `\trequest.Header.Set("${name}", "${value}")`),
    ...(isForm ? ['\trequest.Header.Set("content-type", form.FormDataContentType())'] : []),
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
