/**
 * Changes a sub account holder: what is sent of its person or business, of its members and of itself, and its status.
 * Source: the sub account holder update of the platform's v2 reference; rows 21, 130 and 133 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readHolderChange } from '../../../dialects/v2/readers/holder.ts';
import { SubAccountHolder, SubAccountHolderUpdate } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';
import { ADDRESS, PERSON } from '../examples.ts';

export const updateSubAccountHolder = operation({
  id: 'v2_update_sub_account_holder',
  method: 'PATCH',
  path: '/v2/accounts/sub_account_holder/:sub_account_holder_id',
  summary: 'Update a sub account holder',
  status: 200,
  refuses: ['member_not_found', 'holder_not_verified', 'illegal_step'],
  params: Type.Object({ sub_account_holder_id: Type.String() }),
  body: SubAccountHolderUpdate,
  response: SubAccountHolder,
  example: {
    params: ({ seed }) => ({ sub_account_holder_id: seed('business_holder_id') }),
    body: ({ seed }) => ({
      person: PERSON,
      business: {
        legal_name: 'Quill & Sons Press LLC',
        dba: 'Quill',
        entity_type: 'limited_liability_company',
        id_type: 'ein',
        id_number: '999999999',
        phone: '+15035550124',
        email: 'desk@quill.example',
        formation_date: '2015-02-28',
        address: ADDRESS,
        members: [
          {
            ...PERSON,
            id: seed('business_member_id'),
            ownership: '55.00',
            title: 'Chair',
            designation: 'president',
            control_person: 'true',
          },
        ],
      },
      verification: { status: 'pass', method: 'alloy', url: 'https://alloy.example/2' },
      external_reference_id: 'crm-2',
      purpose: 'Operating',
      metadata: { team: 'south' },
      status: 'activated',
    }),
  },
  run: ({ bank }, { params, body }) => {
    const id = readId('holder', params.sub_account_holder_id);
    return viewHolder(bank.holders.change(id, readHolderChange(body)), bank.program);
  },
});
