/**
 * Operations that take files: a `multipart/form-data` body with one file in each named part. Node's own form parser
 * does not slow the start. A form is held in memory completely, so its size is limited. The journal and idempotency
 * keys compare the contents of the parts, because a client uses a different boundary for each request.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FileParts } from '../../bank/api/operation.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { UploadedFile } from '../../bank/verbs/inputs.ts';

type Form = ReadonlyMap<string, readonly (UploadedFile | string)[]>;

const FORM_TYPE = 'multipart/form-data';
const FORM_LIMIT_BYTES = 10 * 1024 * 1024;

/** Makes the routes of this scope accept forms, and no other body. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
    async (request: FastifyRequest, content: Buffer) => {
      const form = await parseForm(String(request.headers['content-type']), content);
      request.rawBody = describe(form);
      return form;
    },
  );
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(refuse('media_unsupported', { message: `send the files as ${FORM_TYPE}` }));
  });
}

async function parseForm(contentType: string, content: Buffer): Promise<Form> {
  const form = new Map<string, (UploadedFile | string)[]>();
  // Each name has one growing list, because a new list for each part would take quadratic time.
  const listOf = (name: string): (UploadedFile | string)[] => {
    const list = form.get(name) ?? [];
    form.set(name, list);
    return list;
  };
  const malformed = () => refuse('body_malformed', { message: `the body is not valid ${FORM_TYPE}` });
  if (!isDelimited(contentType, content)) throw malformed();
  const request = new Response(new Uint8Array(content), { headers: { 'content-type': contentType } });
  const read = await request.formData().catch(() => {
    throw malformed();
  });
  for (const [name, value] of read) {
    const part =
      typeof value === 'string'
        ? value
        : { contentType: value.type, content: Buffer.from(await value.arrayBuffer()) };
    listOf(name).push(part);
  }
  return form;
}

/** Whether a form has delimiter lines and an end, without which the parser of workerd still reads parts. */
function isDelimited(contentType: string, content: Buffer): boolean {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? bare}`;
  const first = content.indexOf(delimiter);
  if (first < 0 || !content.includes(`${delimiter}--`)) return false;
  const after = content.toString('latin1', first + delimiter.length, first + delimiter.length + 2);
  return after === '\r\n' || after === '--';
}

function describe(form: Form): string {
  const summary = (part: UploadedFile | string) =>
    typeof part === 'string'
      ? part
      : { type: part.contentType, bytes: part.content.length, sha256: hash('sha256', part.content) };
  return JSON.stringify(Object.fromEntries([...form].map(([name, parts]) => [name, parts.map(summary)])));
}

const NO_FILES = (part: string): UploadedFile => {
  throw refuse('failure', { message: `this operation does not accept the part ${part}` });
};

/**
 * Finds the file of each part that an operation takes in the parsed form. Refuses: `field_invalid` for a part that is
 * missing, empty, repeated, not a file, or of another media type.
 */
export function filesOf(parts: FileParts | undefined, body: unknown): (part: string) => UploadedFile {
  if (parts === undefined) return NO_FILES;
  const form: Form = body instanceof Map ? body : new Map();
  const files = new Map(
    Object.entries(parts).map(([field, accepted]) => [field, fileIn(form.get(field) ?? [], field, accepted)]),
  );
  return (part) => files.get(part) ?? NO_FILES(part);
}

function fileIn(
  [file, second]: readonly (UploadedFile | string)[],
  field: string,
  accepted: readonly string[],
): UploadedFile {
  const wrong = (problem: string) => refuse('field_invalid', { field, message: `${field} ${problem}` });
  if (file === undefined) throw wrong(`is required: send it as a file in a part of ${FORM_TYPE}`);
  if (second !== undefined) throw wrong('came twice');
  if (typeof file === 'string') throw wrong('must be a file: give its part a filename');
  if (file.content.length === 0) throw wrong('is an empty file');
  if (accepted.includes(file.contentType)) return file;
  throw wrong(`must be ${accepted.join(' or ')}; got ${file.contentType.slice(0, 100)}`);
}
