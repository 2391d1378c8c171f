/**
 * Rows of the register about implausible input. `test/server/http/plausible-input.test.ts` tests each in every field.
 */
import { useHttp } from '../../server/http/support.ts';
import { expectAnswer, holdRows, makeBusiness, makeHolder, makePerson } from './checks.ts';

const http = useHttp({ small: true });

holdRows(http, 'behaviour', {
  'formation-dates': [
    'Any that is not in the future, in both versions; otherwise 400 on `formationDate` (`formation_date`)',
    async (caller) => {
      const person = { 'sd-person-id': caller.seed('person_id') };
      expectAnswer(await makeBusiness(caller, { formationDate: '2026-11-20' }, person), 201);
      expectAnswer(await makeBusiness(caller, { formationDate: '2026-11-21' }, person), 400);
      const business = { legal_name: 'Fir LLC', formation_date: '2026-11-21' };
      expectAnswer(await makeHolder(caller, { type: 'business', person: undefined, business }), 400, {
        error: { field_name: 'business.formation_date' },
      });
    },
  ],
});

holdRows(http, 'interface', {
  'email-form': [
    'Text with an `@` between two parts without spaces; anything else is 400 on the field, in both versions.',
    async (caller) => {
      for (const email of ['x', 'x@', '@x', 'x y@z']) {
        expectAnswer(await makePerson(caller, { email }), 400);
        expectAnswer(await makeHolder(caller, { person: { first_name: 'Mara', email } }), 400, {
          error: { field_name: 'person.email' },
        });
      }
      expectAnswer(await makeHolder(caller, { person: { first_name: 'Mara', email: '' } }), 201);
      expectAnswer(await makePerson(caller, { email: 'x@y' }), 201);
    },
  ],
  'blank-texts': [
    'It is 400 where a text is required: the names of persons, businesses, families and contacts in v1',
    async (caller) => {
      expectAnswer(await makePerson(caller, { firstName: ' ' }), 400);
      expectAnswer(await makeBusiness(caller, { legalName: ' ' }), 400);
      const contact = { accountId: caller.seed('account_id'), name: ' ' };
      expectAnswer(await caller.v1('POST', '/v1/contact', contact), 400);
      expectAnswer(await caller.v1('POST', '/v1/family', { name: ' ' }), 400);
      expectAnswer(await makeHolder(caller, { person: { first_name: ' ', last_name: 'Quill' } }), 201, {
        person: { first_name: ' ' },
      });
      const business = { legal_name: ' ', entity_type: 'estate', id_number: '512345670', address: {} };
      const made = await makeHolder(caller, { type: 'business', person: undefined, business });
      expectAnswer(await caller.v2('POST', `/v2/accounts/sub_account_holder/${made.id()}/kyb`), 400, {
        error: { field_name: 'business.legal_name' },
      });
    },
  ],
  'person-names': [
    'In v1 `firstName` and `lastName`, as `v1-person-fields` says: an empty one is 400 at the creation, and ignored in an update. In v2 deliberately neither: the page of sub account holders marks no field of a person as required, so an empty name counts as not sent (`zero-values`).',
    async (caller) => {
      expectAnswer(await makePerson(caller, { firstName: '' }), 400);
      const own = `/v1/person/${caller.seed('person_id')}`;
      expectAnswer(await caller.v1('PATCH', own, { firstName: '' }), 200, { firstName: 'Ada' });
      expectAnswer(await makeHolder(caller, { person: { first_name: '', last_name: 'Quill' } }), 201, {
        person: { first_name: '', last_name: 'Quill' },
      });
    },
  ],
});
