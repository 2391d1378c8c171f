/**
 * Checks values by the schemas of the OpenAPI documents, with their formats. Email addresses and links of clients are
 * returned unchanged, so these two formats are not validated.
 */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: true,
  uri: true,
  binary: true,
} as const;

/** Creates a validator of JSON Schema 2020-12 with the formats of the documents. */
export function createDocumentAjv(options: Options = {}): Ajv2020 {
  return new Ajv2020({ strict: false, formats: FORMATS, ...options });
}
