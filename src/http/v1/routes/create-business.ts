/**
 * POST /v1/business: makes a business, on behalf of the person whom the call names. Its KYB is submitted afterwards.
 * Source: "create a business" of the platform's v1 reference; row 148 of docs/fidelity.md.
 */
import { readNewBusiness } from '../../../dialects/v1/readers/business.ts';
import { Business, NewBusinessBody } from '../../../dialects/v1/shapes/business.ts';
import { viewBusiness } from '../../../dialects/v1/views/business.ts';
import { operation } from '../../operation.ts';
import { BUSINESS } from '../examples.ts';

export const createBusiness = operation({
  id: 'createBusiness',
  method: 'POST',
  path: '/v1/business',
  summary: 'Create a business',
  status: 201,
  body: NewBusinessBody,
  response: Business,
  example: {
    headers: ({ seed }) => ({ 'sd-person-id': seed('person_id') }),
    body: BUSINESS,
  },
  run: ({ bank, personId }, { body }) =>
    viewBusiness(bank.holders.create(readNewBusiness(personId, body)), bank.program),
});
