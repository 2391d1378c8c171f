/** Writes forms with files: the text of `multipart/form-data` and the header with the boundary. */
import type { ExampleFiles } from '../../../src/bank/api/operation.ts';

export interface FormPart {
  name: string;
  /** Absent for a field that is not a file. */
  filename?: string;
  contentType?: string;
  content: string | Buffer;
}

/** A form as a body and its header; another boundary is another text of the same form. */
export function writeForm(
  parts: readonly FormPart[],
  boundary = 'the-boundary',
): { body: Buffer; headers: Record<string, string> } {
  const written = parts.flatMap(({ name, filename, contentType, content }) => [
    `--${boundary}\r\n`,
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}\r\n`]),
    '\r\n',
    content,
    '\r\n',
  ]);
  return {
    body: Buffer.concat([...written, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string))),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** The form of an example. */
export function writeExampleForm(files: ExampleFiles): ReturnType<typeof writeForm> {
  return writeForm(
    Object.entries(files).map(([name, { contentType, base64 }]) => ({
      name,
      filename: `${name}.png`,
      contentType,
      content: Buffer.from(base64, 'base64'),
    })),
  );
}
