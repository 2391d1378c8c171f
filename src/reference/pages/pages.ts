/**
 * The pages of the operations and events at `/docs/reference`, generated on request from the document that the bank
 * serves. So they show its own ids and its address, and add nothing to the package.
 */
import type { FastifyRequest } from 'fastify';
import type { Documents } from '../openapi/document.ts';
import type { PageWriter } from '../pages.ts';
import { type Document, operationPage, type Source } from './page.ts';

const NAME = /^reference\/(v2|v1|sandbox)\/(\w+)\.html$/;

/** Writes the page of an operation or event of one of these documents. */
export function referenceOf(documents: Documents): PageWriter {
  return async (name: string, request: FastifyRequest) => {
    const [, of = '', id = ''] = NAME.exec(name) ?? [];
    const print = documents.get(of);
    if (print === undefined) return undefined;
    const { document } = await print(request);
    return operationPage({ name: of as Source['name'], document: document as unknown as Document }, id);
  };
}
