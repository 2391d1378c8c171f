/** The register of decisions on the server: the rows of docs/fidelity.md, complete or by grade and area. */
import { describe, expect, it } from 'vitest';
import { FIDELITY } from '../../../../src/bank/model/fidelity.ts';
import { useHttp } from '../support.ts';

const http = useHttp();

describe('the assumptions', () => {
  it('are the whole register', async () => {
    const answer = await http.call('GET', '/_sandbox/assumptions');
    expect(answer.body).toEqual({ count: FIDELITY.length, assumptions: FIDELITY });
  });

  it('are filtered by grade and area', async () => {
    const answer = await http.call('GET', '/_sandbox/assumptions?grade=invented&area=rails');
    const rows = FIDELITY.filter(({ grade, area }) => grade === 'invented' && area === 'rails');
    expect(answer.body).toEqual({ count: rows.length, assumptions: rows });
    expect((await http.call('GET', '/_sandbox/assumptions?grade=guessed')).at('error.hint')).toBe('grade');
  });
});
