/**
 * GET /v1/business/naicscode: codes of industries for a client's menu, sector by sector.
 * Source: "list NAICS codes" of the platform's v1 reference; row 147 of docs/fidelity.md.
 */
import { NaicsCodeList } from '../../../dialects/v1/shapes/business-profile.ts';
import { viewNaicsCodes } from '../../../dialects/v1/views/business-profile.ts';
import { operation } from '../../operation.ts';

export const listNaicsCodes = operation({
  id: 'listNaicsCodes',
  method: 'GET',
  path: '/v1/business/naicscode',
  summary: 'List the codes of industries',
  status: 200,
  response: NaicsCodeList,
  example: {},
  run: () => viewNaicsCodes(),
});
