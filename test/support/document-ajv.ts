/**
 * Checks values by the schemas of the OpenAPI documents, with their formats. An email address or a link that a client gave
 * is shown as it was sent, so these two formats only say what is meant.
 */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: true,
  uri: true,
  binary: true,
} as const;

/** A checker of JSON Schema 2020-12 that knows the formats of the documents. */
export function createDocumentAjv(options: Options = {}): Ajv2020 {
  return new Ajv2020({ strict: false, formats: FORMATS, ...options });
}
