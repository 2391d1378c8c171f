/**
 * GET /v1/card/atm: the ten cash machines that are nearest to a place. All of them are invented.
 * Source: the paths that public clients of v1 call; rows 178 and 179 of docs/fidelity.md.
 */
import { readAtmSearch } from '../../../dialects/v1/readers/atm.ts';
import { AtmList, AtmQuery } from '../../../dialects/v1/shapes/atm.ts';
import { viewAtm } from '../../../dialects/v1/views/atm.ts';
import { nearestAtms } from '../../../model/atms.ts';
import { operation } from '../../operation.ts';

export const listAtms = operation({
  id: 'listAtms',
  method: 'GET',
  path: '/v1/card/atm',
  summary: 'List cash machines',
  status: 200,
  query: AtmQuery,
  response: AtmList,
  example: {
    query: { latitude: '45.5152', longitude: '-122.6784', radius: '25' },
  },
  run(_, { query }) {
    const { place, within } = readAtmSearch(query);
    const data = nearestAtms(place, within).map(viewAtm);
    return { total: data.length, data };
  },
});
