/**
 * Makes a sub account holder: a person, or a business with its members.
 * Source: the sub account holder operations of the platform's v2 reference; rows 21 and 22 of docs/fidelity.md.
 */
import { readNewHolder } from '../../../dialects/v2/readers/holder.ts';
import { NewSubAccountHolder, SubAccountHolder } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';
import { ADDRESS, PERSON } from '../examples.ts';

export const createSubAccountHolder = operation({
  id: 'v2_create_sub_account_holder',
  method: 'POST',
  path: '/v2/accounts/sub_account_holder',
  summary: 'Create a sub account holder',
  status: 201,
  refuses: ['ownership_exceeded'],
  body: NewSubAccountHolder,
  response: SubAccountHolder,
  example: {
    body: ({ seed }) => ({
      master_account_id: seed('master_account_id'),
      type: 'business',
      business: {
        legal_name: 'Quill Press LLC',
        dba: 'Quill',
        entity_type: 'limited_liability_company',
        id_type: 'ein',
        id_number: '999999999',
        phone: '+15035550124',
        email: 'desk@quill.example',
        formation_date: '2015-02-28',
        address: ADDRESS,
        members: [
          { ...PERSON, ownership: '60.00', title: 'CEO', designation: 'president', control_person: 'true' },
        ],
      },
      person: PERSON,
      verification: { status: 'pass', method: 'alloy', url: 'https://alloy.example/1' },
      external_reference_id: 'crm-1',
      purpose: 'Operating',
      metadata: { team: 'north' },
    }),
  },
  run: ({ bank }, { body }) => viewHolder(bank.holders.create(readNewHolder(body)), bank.program),
});
