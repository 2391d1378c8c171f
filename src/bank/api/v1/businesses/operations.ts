/**
 * The operations on businesses, their KYB, projections and ownership disclosure. Persons and businesses have the same
 * id format, so a path with the id of a person is answered with "not found".
 * Source: the business pages of the platform's v1 reference; decision `shared-records` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import type { HolderCondition } from '../../../model/filters.ts';
import type { Bank } from '../../../verbs/bank.ts';
import type { HolderWithMembers } from '../../../verbs/inputs.ts';
import { operation } from '../../operation.ts';
import { ownBusinesses } from '../callers.ts';
import { BUSINESS } from '../examples.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList, parseWindow } from '../paging.ts';
import { formatKyb, Kyb } from '../verification.ts';
import {
  BUSINESS_VIEW,
  formatBusiness,
  formatDisclosure,
  formatNaicsCodes,
  formatProjection,
} from './format.ts';
import { parseBusinessChange, parseBusinessFilters, parseNewBusiness, parseProjection } from './parse.ts';
import {
  Business,
  BusinessChangeBody,
  BusinessList,
  BusinessQuery,
  DisclosureBody,
  NaicsCodeList,
  NewBusinessBody,
  OwnershipDisclosure,
  Projection,
  ProjectionBody,
} from './shapes.ts';

/** The business in a path. Refuses: `holder_not_found`, also for a person. */
function findBusiness({ holders }: Bank, text: string): HolderWithMembers {
  const file = holders.byId(parseId('business', text));
  if (file.holder.type !== 'business') throw refuse('holder_not_found');
  return file;
}

const BUSINESS_QUERY = { limit: '10', status: 'active', query: 'birch' } as const;

function listBusinesses(
  { holders, program }: Bank,
  query: Static<typeof BusinessQuery>,
  own: readonly HolderCondition[] = [],
) {
  const page = holders.list([...own, ...parseBusinessFilters(query)], parseWindow(query));
  return formatList(page, (file) => formatBusiness(file, program));
}

export const BUSINESS_OPERATIONS = [
  operation({
    id: 'createBusiness',
    method: 'POST',
    path: '/v1/business',
    summary: 'Create a business',
    description:
      'Creates a business on behalf of the person of `sd-person-id`, who becomes its first member. Submit its KYB separately once its details are complete.',
    answer: 'The new business; its KYB is not started.',
    decisions: ['first-member', 'v1-business-fields'],
    status: 201,
    body: NewBusinessBody,
    response: Business,
    example: {
      headers: ({ seed }) => ({ 'sd-person-id': seed('person_id') }),
      body: BUSINESS,
    },
    run: ({ bank, personId, show }, { body }) =>
      show(BUSINESS_VIEW, bank.holders.create(parseNewBusiness(personId, body))),
  }),

  operation({
    id: 'listBusinesses',
    method: 'GET',
    path: '/v1/business',
    summary: 'List businesses',
    description:
      'Lists the businesses of the person of `sd-person-id`, newest first. Without `sd-person-id` it lists those of the whole program.',
    answer: 'A page of businesses, newest first.',
    decisions: ['list-paging', 'lists-by-person', 'v1-party-lists'],
    status: 200,
    query: BusinessQuery,
    response: BusinessList,
    example: { query: BUSINESS_QUERY },
    run: (call, { query }) => listBusinesses(call.bank, query, ownBusinesses(call)),
  }),

  operation({
    id: 'listProgramBusinesses',
    method: 'GET',
    path: '/v1/program/:programId/business',
    summary: 'List the businesses of a program',
    description:
      'Lists the businesses of the program, newest first. The header `sd-person-id` does not limit the list.',
    answer: 'A page of businesses, newest first.',
    decisions: ['v1-party-lists'],
    status: 200,
    query: BusinessQuery,
    response: BusinessList,
    example: { query: BUSINESS_QUERY },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listBusinesses(bank, query);
    },
  }),

  operation({
    id: 'listNaicsCodes',
    method: 'GET',
    path: '/v1/business/naicscode',
    summary: 'List industry codes',
    description: 'Lists the industry codes by sector, for a selection list. All of them are on one page.',
    answer: 'All codes by sector.',
    decisions: ['naics-codes'],
    status: 200,
    response: NaicsCodeList,
    run: () => formatNaicsCodes(),
  }),

  operation({
    id: 'retrieveBusiness',
    method: 'GET',
    path: '/v1/business/:businessId',
    summary: 'Retrieve a business',
    description: 'Retrieves a business with the status and the results of its KYB.',
    answer: 'The business with its KYB.',
    decisions: ['shared-records'],
    status: 200,
    response: Business,
    run: ({ bank }, { params }) => formatBusiness(findBusiness(bank, params.businessId), bank.program),
  }),

  operation({
    id: 'updateBusiness',
    method: 'PATCH',
    path: '/v1/business/:businessId',
    summary: 'Update a business',
    description:
      'Updates fields of a business; fields that are not sent keep their values. The legal name and the id number cannot change after the KYB has passed.',
    answer: 'The business after the change.',
    decisions: ['v1-business-fields'],
    status: 200,
    refuses: ['name_locked', 'holder_not_verified', 'illegal_step'],
    body: BusinessChangeBody,
    response: Business,
    example: {
      body: { ...BUSINESS, status: 'active' },
    },
    run({ bank, show }, { params, body }) {
      const { holder } = findBusiness(bank, params.businessId);
      return show(BUSINESS_VIEW, bank.holders.change(holder.id, parseBusinessChange(body, holder)));
    },
  }),

  operation({
    id: 'submitKyb',
    method: 'POST',
    path: '/v1/business/:businessId/kyb',
    summary: 'Submit a KYB',
    description:
      'Submits a business for verification. The response says `submitted`, and the result follows later in the record and as an event. The first digit of each id number decides: 0 fails, 1 leaves the KYB in review, 2 to 9 pass, and the worst result of the business and its members counts.',
    answer: 'The KYB, submitted.',
    decisions: ['v1-kyc-timing', 'verification-digits', 'v1-kyb-not-needed'],
    status: 201,
    refuses: ['details_missing', 'disclosure_missing', 'illegal_step'],
    response: Kyb,
    run({ bank }, { params }) {
      const { holder } = findBusiness(bank, params.businessId);
      if (bank.outcomes.settings().disclosureRequired) bank.businessProfiles.requireSigned(holder.id);
      return formatKyb(bank.holders.submitKyb(holder.id, { async: true }).holder);
    },
  }),

  operation({
    id: 'retrieveKyb',
    method: 'GET',
    path: '/v1/business/:businessId/kyb',
    summary: 'Retrieve a KYB',
    description:
      'Retrieves the status of the KYB of a business and the result of each check. Poll it, or wait for the event, after the KYB was submitted.',
    answer: 'The KYB of the business.',
    decisions: ['v1-kyc-timing'],
    status: 200,
    response: Kyb,
    run: ({ bank }, { params }) => formatKyb(findBusiness(bank, params.businessId).holder),
  }),

  operation({
    id: 'retrieveProjection',
    method: 'GET',
    path: '/v1/business/:businessId/projection',
    summary: 'Retrieve the projections of a business',
    description:
      'Retrieves the yearly volumes that a business expects, as they were sent. They are null until then.',
    answer: 'The projections.',
    decisions: ['business-projections'],
    status: 200,
    response: Projection,
    run({ bank }, { params }) {
      const { holder } = findBusiness(bank, params.businessId);
      return formatProjection(bank.businessProfiles.byId(holder.id));
    },
  }),

  operation({
    id: 'updateProjection',
    method: 'PATCH',
    path: '/v1/business/:businessId/projection',
    summary: 'Update the projections of a business',
    description:
      'Sets the yearly volumes that a business expects. They cannot change after the KYB was decided.',
    answer: 'The projections after the change.',
    decisions: ['business-projections'],
    status: 200,
    refuses: ['projection_locked'],
    body: ProjectionBody,
    response: Projection,
    example: {
      body: {
        transactions: {
          annual: {
            send: {
              ach: { count: '30', amount: '1000.00' },
              internationalAch: { count: '0', amount: '0.00' },
            },
            receive: {
              ach: { count: '20', amount: '2000.00' },
              physicalCheck: { count: '2', amount: '80.00' },
            },
            incoming: { achPush: { count: '12', amount: '900.00' } },
          },
        },
      },
    },
    run({ bank }, { params, body }) {
      const { holder } = findBusiness(bank, params.businessId);
      return formatProjection(bank.businessProfiles.project(holder.id, parseProjection(body)));
    },
  }),

  operation({
    id: 'retrieveDisclosure',
    method: 'GET',
    path: '/v1/business/:businessId/ownershipDisclosure',
    summary: 'Retrieve the ownership disclosure',
    description:
      'Retrieves the status of the ownership disclosure of a business, with its link while it can be signed. Before the first POST the response is 404.',
    answer: 'The disclosure, with its link while it can be signed.',
    decisions: ['ownership-disclosure'],
    status: 200,
    refuses: ['disclosure_not_found'],
    response: OwnershipDisclosure,
    run({ bank, disclosureLink }, { params }) {
      const { holder } = findBusiness(bank, params.businessId);
      return formatDisclosure(bank.businessProfiles.disclosureOf(holder.id), disclosureLink);
    },
  }),

  operation({
    id: 'generateDisclosure',
    method: 'POST',
    path: '/v1/business/:businessId/ownershipDisclosure',
    summary: 'Generate the ownership disclosure',
    description:
      'Returns the link that signs the ownership disclosure. The link is valid for five minutes, and during that time requests return the same link unless `action` is `regenerate`. Opening it signs the disclosure.',
    answer: 'The disclosure with its link.',
    decisions: ['ownership-disclosure'],
    status: 201,
    body: DisclosureBody,
    response: OwnershipDisclosure,
    example: {
      body: {
        redirectUri: 'https://client.example/signed',
        action: 'regenerate',
        frameancestor: 'https://client.example',
      },
    },
    run({ bank, disclosureLink }, { params, body }) {
      const { holder } = findBusiness(bank, params.businessId);
      const { redirectUri, action } = body;
      const regenerate = action === 'regenerate';
      return formatDisclosure(
        bank.businessProfiles.disclose(holder.id, { redirectUri, regenerate }),
        disclosureLink,
      );
    },
  }),
] as const;
