/** The register of decisions on the server: the rows of docs/fidelity.md, complete or by evidence and area. */
import { describe, expect, it } from 'vitest';
import { FIDELITY } from '../../../../src/bank/model/fidelity.ts';
import { useHttp } from '../support.ts';

const http = useHttp();

describe('the assumptions', () => {
  it('are the whole register', async () => {
    const answer = await http.call('GET', '/_sandbox/assumptions');
    expect(answer.body).toEqual({ count: FIDELITY.length, assumptions: FIDELITY });
  });

  it('are filtered by evidence and area', async () => {
    const answer = await http.call('GET', '/_sandbox/assumptions?evidence=ours&area=rails');
    const rows = FIDELITY.filter(({ evidence, area }) => evidence === 'ours' && area === 'rails');
    expect(answer.body).toEqual({ count: rows.length, assumptions: rows });
    expect((await http.call('GET', '/_sandbox/assumptions?evidence=guessed')).at('error.hint')).toBe(
      'evidence',
    );
  });
});
