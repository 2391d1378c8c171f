/**
 * The format of a table of enum values that clients send: a row for each field of a request, with its published values.
 * A value may end with an error status instead of success, `credit=400`, or with another value that the response
 * contains, `fail>review`; both require a reason after a colon.
 *
 *     METHOD path  field  words  answer  : reason
 *
 * `answer` is the path of the value in the response: `=` for the same path, `-` for none.
 */

export interface SentWord {
  readonly word: string;
  /** The status of the response, if it is not the operation's. */
  readonly status: number | undefined;
  /** The value in the response. */
  readonly shown: string;
}

export interface SentRow {
  readonly method: string;
  readonly path: string;
  readonly field: string;
  readonly words: readonly SentWord[];
  /** Its path in the response. */
  readonly answer: string | undefined;
  readonly reason: string;
}

function readWord(text: string): SentWord {
  const [, word = '', mark, rest = ''] = /^([\w-]+)(?:([=>])(\w+))?$/.exec(text) ?? [];
  if (word === '') throw new Error(`no word: "${text}"`);
  return {
    word,
    status: mark === '=' ? Number(rest) : undefined,
    shown: mark === '>' ? rest : word,
  };
}

/** Parses the rows of a text. */
export function readSent(text: string): SentRow[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, method = '', path = '', field = '', words = '', answer = '', reason = ''] =
        /^([A-Z]+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)(?:\s+:\s+(.+))?$/.exec(line) ?? [];
      if (method === '') throw new Error(`no row of words: "${line}"`);
      if (/[=>]/.test(words) !== (reason !== ''))
        throw new Error(`a reason if and only if it is needed: ${line}`);
      return {
        method,
        path: path.replace(/\{(\w+)\}/g, ':$1'),
        field,
        words: words.split('|').map(readWord),
        answer: answer === '-' ? undefined : answer === '=' ? field : answer,
        reason,
      };
    });
}

/** A copy of a body with a value at a path; missing objects and lists are created. */
export function withValue(body: unknown, path: string, value: unknown): unknown {
  const [first, ...rest] = path.split('.');
  if (first === undefined || first === '') return value;
  if (/^\d+$/.test(first)) {
    const list = Array.isArray(body) ? [...(body as unknown[])] : [];
    list[Number(first)] = withValue(list[Number(first)], rest.join('.'), value);
    return list;
  }
  const object = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return { ...object, [first]: withValue(object[first], rest.join('.'), value) };
}
