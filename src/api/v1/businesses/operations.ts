/**
 * The operations on businesses, their KYB, projections and ownership disclosure. The ids of persons and businesses can
 * look the same, so a path that names a person is answered with "not found".
 * Source: the business pages of the platform's v1 reference; decision `shared-records` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import type { HolderFile } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Condition } from '../../../store/lists.ts';
import { operation } from '../../operation.ts';
import { ownBusinesses } from '../callers.ts';
import { BUSINESS } from '../examples.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList, parseWindow } from '../paging.ts';
import { formatKyb, Kyb } from '../verification.ts';
import { formatBusiness, formatDisclosure, formatNaicsCodes, formatProjection } from './format.ts';
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

/** The business that a path names. Refuses: `holder_not_found`, also for a person. */
function findBusiness({ holders }: Bank, text: string): HolderFile {
  const file = holders.byId(parseId('business', text));
  if (file.holder.type !== 'business') throw refuse('holder_not_found');
  return file;
}

const BUSINESS_QUERY = { limit: '10', status: 'active', query: 'birch' } as const;

function listBusinesses(
  { holders, program }: Bank,
  query: Static<typeof BusinessQuery>,
  own: readonly Condition[] = [],
) {
  const page = holders.list([...own, ...parseBusinessFilters(query)], parseWindow(query));
  return formatList(page, (file) => formatBusiness(file, program));
}

export const BUSINESS_OPERATIONS = [
  /**
   * POST /v1/business: creates a business, on behalf of the person whom the call names, who is its first member. Its
   * KYB is submitted afterwards.
   * Source: "create a business" of the platform's v1 reference; decisions `first-member` and `v1-business-fields` in
   * docs/fidelity.md.
   */
  operation({
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
      formatBusiness(bank.holders.create(parseNewBusiness(personId, body)), bank.program),
  }),

  /**
   * GET /v1/business: the businesses of the person of the call; where it is made for nobody, those of the program, newest
   * first.
   * Source: "list all businesses" of the platform's v1 reference; decisions `list-paging`, `lists-by-person` and
   * `v1-party-lists` in docs/fidelity.md.
   */
  operation({
    id: 'listBusinesses',
    method: 'GET',
    path: '/v1/business',
    summary: 'List businesses',
    status: 200,
    query: BusinessQuery,
    response: BusinessList,
    example: { query: BUSINESS_QUERY },
    run: (call, { query }) => listBusinesses(call.bank, query, ownBusinesses(call)),
  }),

  /**
   * GET /v1/program/{programId}/business: the businesses of the program, newest first.
   * Source: "list all businesses" of the platform's v1 reference; decision `v1-party-lists` in docs/fidelity.md.
   */
  operation({
    id: 'listProgramBusinesses',
    method: 'GET',
    path: '/v1/program/:programId/business',
    summary: 'List the businesses of a program',
    status: 200,
    params: Type.Object({ programId: Type.String() }),
    query: BusinessQuery,
    response: BusinessList,
    example: { params: ({ seed }) => ({ programId: seed('program_id') }), query: BUSINESS_QUERY },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listBusinesses(bank, query);
    },
  }),

  /**
   * GET /v1/business/naicscode: codes of industries for a client's menu, sector by sector.
   * Source: "list NAICS codes" of the platform's v1 reference; decision `naics-codes` in docs/fidelity.md.
   */
  operation({
    id: 'listNaicsCodes',
    method: 'GET',
    path: '/v1/business/naicscode',
    summary: 'List the codes of industries',
    status: 200,
    response: NaicsCodeList,
    example: {},
    run: () => formatNaicsCodes(),
  }),

  /**
   * GET /v1/business/{businessId}: a business with its KYB.
   * Source: the business object of the platform's v1 reference; decision `shared-records` in docs/fidelity.md.
   */
  operation({
    id: 'retrieveBusiness',
    method: 'GET',
    path: '/v1/business/:businessId',
    summary: 'Retrieve a business',
    status: 200,
    params: Type.Object({ businessId: Type.String() }),
    response: Business,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
    },
    run: ({ bank }, { params }) => formatBusiness(findBusiness(bank, params.businessId), bank.program),
  }),

  /**
   * PATCH /v1/business/{businessId}: changes what is sent. Once the KYB has passed, the legal name and the number stay.
   * Source: "update a business" of the platform's v1 reference; decision `v1-business-fields` in docs/fidelity.md.
   */
  operation({
    id: 'updateBusiness',
    method: 'PATCH',
    path: '/v1/business/:businessId',
    summary: 'Update a business',
    status: 200,
    refuses: ['name_locked', 'holder_not_verified', 'illegal_step'],
    params: Type.Object({ businessId: Type.String() }),
    body: BusinessChangeBody,
    response: Business,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
      body: { ...BUSINESS, status: 'active' },
    },
    run({ bank }, { params, body }) {
      const { holder } = findBusiness(bank, params.businessId);
      return formatBusiness(bank.holders.change(holder.id, parseBusinessChange(body, holder)), bank.program);
    },
  }),

  /**
   * POST /v1/business/{businessId}/kyb: submits a business for verification. The outcome follows later, in an event and
   * in the record; members who have not passed are checked with it.
   * Source: "submit a KYB" of the platform's v1 reference; decisions `v1-kyc-timing`, `verification-digits` and
   * `v1-kyb-not-needed` in docs/fidelity.md.
   */
  operation({
    id: 'submitKyb',
    method: 'POST',
    path: '/v1/business/:businessId/kyb',
    summary: 'Submit a KYB',
    status: 201,
    refuses: ['details_missing', 'disclosure_missing', 'illegal_step'],
    params: Type.Object({ businessId: Type.String() }),
    response: Kyb,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
    },
    run({ bank }, { params }) {
      const { holder } = findBusiness(bank, params.businessId);
      if (bank.outcomes.settings().disclosureRequired) bank.businessProfiles.requireSigned(holder.id);
      return formatKyb(bank.holders.submitKyb(holder.id, { async: true }).holder);
    },
  }),

  /**
   * GET /v1/business/{businessId}/kyb: the status of the KYB of a business.
   * Source: the business object of the platform's v1 reference; decision `v1-kyc-timing` in docs/fidelity.md.
   */
  operation({
    id: 'retrieveKyb',
    method: 'GET',
    path: '/v1/business/:businessId/kyb',
    summary: 'Retrieve a KYB',
    status: 200,
    params: Type.Object({ businessId: Type.String() }),
    response: Kyb,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
    },
    run: ({ bank }, { params }) => formatKyb(findBusiness(bank, params.businessId).holder),
  }),

  /**
   * GET /v1/business/{businessId}/projection: what the business expects to move in a year, as it was sent.
   * Source: "submit business projections" of the platform's v1 reference; decision `business-projections` in
   * docs/fidelity.md.
   */
  operation({
    id: 'retrieveProjection',
    method: 'GET',
    path: '/v1/business/:businessId/projection',
    summary: 'Retrieve the projections of a business',
    status: 200,
    params: Type.Object({ businessId: Type.String() }),
    response: Projection,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
    },
    run({ bank }, { params }) {
      const { holder } = findBusiness(bank, params.businessId);
      return formatProjection(bank.businessProfiles.byId(holder.id));
    },
  }),

  /**
   * PATCH /v1/business/{businessId}/projection: what the business expects to move in a year. It stays once the KYB is
   * decided.
   * Source: "submit business projections" of the platform's v1 reference; decision `business-projections` in
   * docs/fidelity.md.
   */
  operation({
    id: 'updateProjection',
    method: 'PATCH',
    path: '/v1/business/:businessId/projection',
    summary: 'Update the projections of a business',
    status: 200,
    refuses: ['projection_locked'],
    params: Type.Object({ businessId: Type.String() }),
    body: ProjectionBody,
    response: Projection,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
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

  /**
   * GET /v1/business/{businessId}/ownershipDisclosure: how far it is, and its link while somebody may sign there. Before
   * the first POST there is none.
   * Source: "business ownership disclosure" of the platform's v1 reference, and an app that reads the code of the 404;
   * decision `ownership-disclosure` in docs/fidelity.md.
   */
  operation({
    id: 'retrieveDisclosure',
    method: 'GET',
    path: '/v1/business/:businessId/ownershipDisclosure',
    summary: 'Retrieve the ownership disclosure',
    status: 200,
    refuses: ['disclosure_not_found'],
    params: Type.Object({ businessId: Type.String() }),
    response: OwnershipDisclosure,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
    },
    run({ bank, disclosureLink }, { params }) {
      const { holder } = findBusiness(bank, params.businessId);
      return formatDisclosure(bank.businessProfiles.disclosureOf(holder.id), disclosureLink);
    },
  }),

  /**
   * POST /v1/business/{businessId}/ownershipDisclosure: answers the link at which the disclosure is signed, the same
   * one for five minutes unless another is requested.
   * Source: "business ownership disclosure" of the platform's v1 reference; decision `ownership-disclosure` in
   * docs/fidelity.md.
   */
  operation({
    id: 'generateDisclosure',
    method: 'POST',
    path: '/v1/business/:businessId/ownershipDisclosure',
    summary: 'Generate the ownership disclosure',
    status: 201,
    params: Type.Object({ businessId: Type.String() }),
    body: DisclosureBody,
    response: OwnershipDisclosure,
    example: {
      params: ({ seed }) => ({ businessId: seed('business_id') }),
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
