/**
 * The token of a person, with which an app of v1 acts as that person.
 * Source: decision `user-tokens` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { formatUserToken } from '../../bank/api/v1/callers.ts';
import { parseId } from '../../bank/api/v2/fields.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { keyOf } from '../registry/keys.ts';
import { text } from './fields.ts';
import { controlOperation } from './operation.ts';

export const PERSON_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_person_token',
    method: 'GET',
    path: '/_sandbox/persons/:id/token',
    group: 'Inspect',
    summary: "Show a person's token for v1",
    description:
      'Shows the token with which a person uses v1, and the header for it. The id can be in the format of either version.',
    answer: 'The token and the header for it.',
    status: 200,
    refuses: ['holder_not_found'],
    response: Type.Object({
      token: text('The key of the sandbox and the id of the person.'),
      authorization: text('The value of the header `Authorization`, to copy.'),
    }),
    example: { params: (world) => ({ id: world.seed('person_id') }) },
    run: ({ sandbox, headers }, { params }) => {
      const { holder } = sandbox.bank.holders.byId(parseId('holder', params.id));
      if (holder.type !== 'person') throw refuse('holder_not_found');
      // A random key is not stored, so it can only be the caller's.
      const token = formatUserToken(String(headers['api-key'] || keyOf(sandbox.name)), holder.id);
      return { token, authorization: `Bearer ${token}` };
    },
  }),
] as const;
