/** The operations in an OpenAPI document, with their examples. */

export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly group: string;
  readonly method: string;
  /** The path, with `{name}` for a parameter. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The example as JSON text; `null` for an operation without a JSON body. */
  readonly body: string | null;
  /** The media type of a file as the body; `''` for none. */
  readonly fileType: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> };
}

const DOCUMENTS = {
  v2: '/openapi/v2.json',
  v1: '/openapi/v1.json',
  control: '/openapi/sandbox.json',
} as const;
export type Version = keyof typeof DOCUMENTS;

/** The id of an operation in its document, from its name in the client. */
export function idOf(version: Version, name: string): string {
  if (version === 'v1') return name;
  return `${version === 'v2' ? 'v2' : 'sandbox'}_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** Reads the operations of a document, in its order. */
export function operationsOf(document: { readonly paths: Readonly<Record<string, unknown>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Described>).flatMap(([method, it]) => {
      if (it?.operationId === undefined) return [];
      const [type, content] = Object.entries(it.requestBody?.content ?? {})[0] ?? [];
      const isJson = type === 'application/json';
      return {
        id: it.operationId,
        summary: it.summary ?? it.operationId,
        group: it.tags?.[0] ?? '',
        method: method.toUpperCase(),
        path,
        parameters: (it.parameters ?? []).filter(({ in: place }) => place !== 'header'),
        body: isJson ? JSON.stringify(content?.example ?? {}, null, 2) : null,
        fileType: isJson ? '' : (type ?? ''),
      };
    }),
  );
}

const known = new Map<Version, Promise<Operation[]>>();

/** The operations of an interface; its document is loaded once. */
export function loadOperations(version: Version): Promise<Operation[]> {
  let found = known.get(version);
  if (found === undefined) {
    found = fetch(DOCUMENTS[version])
      .then((answer) => answer.json())
      .then(operationsOf);
    known.set(version, found);
  }
  return found;
}

/** The address of a call, with its path parameters and its query. */
export function addressOf({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const search = query.toString();
  return search === '' ? address : `${address}?${search}`;
}
