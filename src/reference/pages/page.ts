/**
 * The page of one operation or event, as HTML that is readable without a script: what it does, its fields, the
 * request in four languages, the recorded answer, its errors and events. A script adds the form that sends the
 * request.
 */
import { UNCAUSED } from '../../bank/api/uncaused-events.ts';
import type { RecordedEvent } from '../openapi/answers.ts';
import { stepWords } from '../openapi/words.ts';
import { type ExampleRequest, LANGUAGES } from './code.ts';
import { codeBlock, tabs, valueBlock } from './highlight.ts';
import { escapeHtml } from './layout.ts';
import { eventPage } from './lists.ts';
import { renderMarkdown } from './markdown.ts';
import { type Field, fieldsOf, type Schema, type Schemas } from './schema.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly 'x-events'?: readonly RecordedEvent[];
  /** The decisions of the operation, with their evidence. */
  readonly 'x-decisions'?: readonly Decision[];
}

interface Decision {
  readonly slug: string;
  readonly question: string;
  /** The evidence as a word, such as `inferred`. */
  readonly known: string;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The parts of an OpenAPI document that a page uses. */
export interface Document {
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly servers: readonly { readonly url: string }[];
  readonly components: {
    readonly schemas: Schemas;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

/** The input of a page. */
export interface Source {
  readonly name: 'v1' | 'v2' | 'sandbox';
  readonly document: Document;
}

/** An operation and its position in the document. */
interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly isEvent: boolean;
}

const NAMES = { v2: 'v2', v1: 'v1', sandbox: 'Control plane' } as const;
/** The header of the key of each document, and the key of the default sandbox. */
export const KEYS = {
  v2: { header: 'api-key', value: 'test_default' },
  v1: { header: 'sd-api-key', value: 'test_default' },
  sandbox: { header: 'api-key', value: 'test_default' },
} as const;

/** The page of an operation or event by its operationId; `undefined` if the document has none. */
export function operationPage(source: Source, id: string): { title: string; main: string } | undefined {
  const places = placesOf(source.document);
  const place = places.find(({ operation }) => operation.operationId === id);
  if (place === undefined) return undefined;
  const { operation, method, path, isEvent } = place;
  const { summary, description = '' } = operation;
  const main = [
    `<h1 id="${id}">${escapeHtml(summary)}</h1>`,
    `<p class="call"><span class="method">${isEvent ? 'EVENT' : method}</span> <code>${escapeHtml(path)}</code></p>`,
    // A link of a document names the bank's address; a page may be read under another one.
    renderMarkdown(description.replaceAll(/\]\(https?:\/\/[^/)]+(?=\/)/g, '](')),
    ...(isEvent ? eventParts(source, place, places) : operationParts(source, place)),
  ];
  return { title: `${summary} · ${NAMES[source.name]}`, main: main.join('\n') };
}

function placesOf({ paths, webhooks = {} }: Document): Place[] {
  const listed = (all: Paths, isEvent: boolean): Place[] =>
    Object.entries(all).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        isEvent,
      })),
    );
  return [...listed(paths, false), ...listed(webhooks, true)];
}

function operationParts({ name, document }: Source, place: Place): string[] {
  const { operation } = place;
  const { schemas } = document.components;
  const { parameters = [], requestBody, responses } = operation;
  const [[bodyType, body] = []] = Object.entries(requestBody?.content ?? {});
  const [status = '', answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const [[answerType, content] = []] = Object.entries(answer?.content ?? {});
  const request = exampleOf(name, place);
  const address = document.servers[0]?.url ?? '';
  const code = LANGUAGES.map((language) => ({ name: language.name, text: language.write(request, address) }));
  return [
    section('Request', 'request', [
      parameterTable(parameters.filter((one) => one.in !== 'header' || one.required === true)),
      body === undefined ? '' : fieldTable(fieldsOf(schemas, body.schema ?? {}), bodyType ?? ''),
      parameterTable(parameters.filter((one) => one.in === 'header' && one.required !== true)),
    ]),
    section('Example', 'example', [tabs('language', code)]),
    section(`Response: ${status}`, 'answer', [
      `<p>${inline(answer?.description ?? '')}</p>`,
      content?.example === undefined
        ? `<p class="soft">${answerType === undefined ? 'It has no body.' : `The body is ${escapeHtml(answerType)}.`}</p>`
        : valueBlock(content.example),
      content?.schema === undefined
        ? ''
        : details('Fields of the response', fieldTable(fieldsOf(schemas, content.schema))),
    ]),
    section('Try it', 'try', [form(name, place, request)]),
    section('Events', 'events', [eventList(name, operation['x-events'] ?? [])]),
    section('Errors', 'errors', [errorTable(name, document, responses)]),
    section('Source', 'known', knownParts(name, operation['x-decisions'] ?? [])),
  ];
}

function eventParts(
  { name, document }: Source,
  { path, operation }: Place,
  places: readonly Place[],
): string[] {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const senders = places.filter(({ operation: { 'x-events': events = [] } }) =>
    events.some(({ kind }) => kind === path),
  );
  return [
    section('Payload', 'payload', [
      valueBlock(content?.example),
      details('Fields', fieldTable(fieldsOf(document.components.schemas, content?.schema ?? {}))),
      '<p>Headers, signatures and retries are on the page <a href="/docs/guides/webhook-signatures.html">Webhook signatures</a>.</p>',
    ]),
    section('Trigger it', 'cause', [triggerOf(name, path)]),
    section('Operations that send this event', 'operations', [
      senders.length === 0
        ? '<p class="soft">No example of an operation sends this event directly.</p>'
        : `<ul>${senders.map((one) => `<li>${linkTo(name, one)}</li>`).join('')}</ul>`,
    ]),
  ];
}

/** How to cause an event, or why nothing causes it. */
function triggerOf(name: Source['name'], kind: string): string {
  const reason = name === 'sandbox' ? undefined : UNCAUSED[name][kind];
  return reason === undefined
    ? codeBlock(`sandbank trigger ${kind}`, 'sh')
    : `<p>Nothing causes this event: ${escapeHtml(reason)}.</p>`;
}

/** The request of the example; values from an earlier call are in braces. */
function exampleOf(name: Source['name'], { method, path, operation }: Place): ExampleRequest {
  const { parameters = [], requestBody, operationId } = operation;
  const values = (where: Parameter['in']): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === where && (one.example !== undefined || where === 'path'))
        .map((one) => [one.name, String(one.example ?? `{${one.name}}`)]),
    );
  const { [KEYS[name].header]: _, ...headers } = values('header');
  const [[bodyType, body] = []] = Object.entries(requestBody?.content ?? {});
  const files = bodyType === 'multipart/form-data' ? Object.keys(body?.schema?.properties ?? {}) : [];
  const words = operationId.replace(/^(v2|sandbox)_/, '');
  return {
    method,
    path,
    params: values('path'),
    query: values('query'),
    keyHeader: KEYS[name].header,
    key: KEYS[name].value,
    headers,
    ...(bodyType === 'application/json' && { body: body?.example ?? {} }),
    ...(bodyType !== undefined && bodyType !== 'application/json' && { bodyType }),
    files,
    call: `${name}.${words.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
  };
}

const linkTo = (name: Source['name'], { operation, path, isEvent }: Place): string =>
  `<a href="/docs/reference/${name}/${operation.operationId}.html">${escapeHtml(isEvent ? path : operation.summary)}</a>`;

function section(title: string, id: string, parts: readonly string[]): string {
  const text = parts.filter(Boolean).join('\n');
  return text === ''
    ? ''
    : `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>\n${text}</section>`;
}

const details = (title: string, text: string): string =>
  text === '' ? '' : `<details><summary>${title}</summary>${text}</details>`;

/** Formats the code and the links of a description. */
function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\((?:https?:\/\/[^/)]+)?(\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
}

/** An HTML table. Each cell also has its column name, because cells are stacked on a narrow screen. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    (cells) => `<tr>${cells.map((cell, at) => `<td data-of="${head[at]}">${cell}</td>`).join('')}</tr>`,
  );
  return `<div class="table"><table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

function nameCell(name: string, isRequired: boolean, depth = 0): string {
  const required = isRequired ? ' <span class="required">required</span>' : '';
  return `<span class="depth-${depth}"><code>${escapeHtml(name)}</code>${required}</span>`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  return tableOf(
    ['Parameter', 'In', 'Meaning'],
    parameters.map(({ name, in: place, required, description, schema }) => [
      nameCell(name, required === true),
      place,
      inline(description ?? schema.description ?? ''),
    ]),
  );
}

function fieldTable(fields: readonly Field[], bodyType = 'application/json'): string {
  const rows = fields.map(({ name, depth, type, isRequired, description, values }) => {
    const listed =
      values.length === 0
        ? ''
        : ` <span class="values">${values.map((value) => `<code>${escapeHtml(value)}</code>`).join(' ')}</span>`;
    return [nameCell(name, isRequired, depth), escapeHtml(type), inline(description) + listed];
  });
  if (rows.length === 0)
    return bodyType === 'application/json' ? '' : `<p>The body is ${escapeHtml(bodyType)}.</p>`;
  return tableOf(['Field', 'Type', 'Meaning'], rows);
}

function errorTable(
  name: Source['name'],
  { components }: Document,
  responses: Operation['responses'],
): string {
  const rows = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap(({ examples = {} }) =>
        Object.values(examples).map(({ $ref, value }) => {
          const shown = value ?? components.examples?.[$ref?.split('/').at(-1) ?? '']?.value;
          const { code, message } = codeIn(shown);
          const link = `<a href="/docs/errors.html#${name}-${code.toLowerCase()}"><code>${escapeHtml(code)}</code></a>`;
          return [status, link, escapeHtml(message)];
        }),
      ),
    );
  // Several examples of a refusal may be equal.
  const different = [...new Map(rows.map((cells) => [cells.join(), cells])).values()];
  return tableOf(['Status', 'Code', 'Message'], different);
}

/** The published error code in an error body of any version. */
export function codeIn(body: unknown): { code: string; message: string } {
  const {
    error,
    code = '',
    message = '',
  } = (body ?? {}) as {
    error?: { code: string; message: string };
    code?: string;
    message?: string;
  };
  return error ?? { code, message };
}

function eventList(name: Source['name'], events: readonly RecordedEvent[]): string {
  const items = events.map(({ kind, steps }) => {
    const link = `/docs/reference/${name}/${eventPage(kind)}.html`;
    return `<li><a href="${link}"><code>${escapeHtml(kind)}</code></a> <span class="soft">${escapeHtml(stepWords(steps))}</span></li>`;
  });
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

const GROUNDS: Readonly<Record<Source['name'], string>> = {
  v2: "Path and fields are those of the platform's reference.",
  v1: "Path and fields are those of the platform's reference and of its public clients.",
  sandbox: 'Only this bank has this operation.',
};

/** The decisions of the operation, each with its evidence. */
function knownParts(name: Source['name'], decisions: readonly Decision[]): string[] {
  const rows = decisions.map(({ slug, question, known }) => [
    `<a href="/docs/fidelity.html#${slug}">${inline(question)}</a>`,
    escapeHtml(known),
  ]);
  const lead = rows.length === 0 ? '' : ' Decisions about points that they leave open:';
  return [
    `<p>${GROUNDS[name]}${name === 'sandbox' ? '' : lead}</p>`,
    tableOf(['Decision', 'Evidence'], rows),
    '<p class="soft">The terms are explained on the page <a href="/docs/fidelity.html">Fidelity</a>.</p>',
  ];
}

/** The form that sends the request, which needs the script of the page. */
function form(name: Source['name'], { method, path, operation }: Place, request: ExampleRequest): string {
  const { parameters = [] } = operation;
  const input = (id: string, label: string, place: string, value: string, type = 'text'): string =>
    `<label>${escapeHtml(label)}<input type="${type}" name="${escapeHtml(id)}" data-in="${place}"${type === 'file' ? '' : ` value="${escapeHtml(value)}"`} autocomplete="off" spellcheck="false"></label>`;
  const key =
    name === 'sandbox'
      ? input('x-control-token', 'Control token, if the bank requires one', 'header', '')
      : '';
  const fields = parameters
    .filter((one) => one.name !== request.keyHeader)
    .map((one) =>
      input(
        one.name,
        `${one.name} (${one.in})`,
        one.in,
        one.example === undefined ? '' : String(one.example),
      ),
    );
  const files = request.files.map((part) => input(part, `${part} (file)`, 'file', '', 'file'));
  const raw =
    request.bodyType !== undefined && files.length === 0
      ? [input('body', `Body: ${request.bodyType}`, 'bytes', '', 'file')]
      : [];
  const body =
    request.body === undefined
      ? ''
      : `<label>Body<textarea name="body" data-in="body" spellcheck="false" rows="${Math.min(16, JSON.stringify(request.body, null, 2).split('\n').length + 1)}">${escapeHtml(JSON.stringify(request.body, null, 2))}</textarea></label>`;
  return [
    `<form class="execute" data-method="${method}" data-path="${escapeHtml(path)}" data-body-type="${request.bodyType ?? ''}">`,
    input(request.keyHeader, `API key (${request.keyHeader})`, 'header', request.key),
    key,
    ...fields,
    ...files,
    ...raw,
    body,
    '<button type="submit">Execute</button>',
    '<output hidden></output>',
    '</form>',
  ].join('\n');
}
