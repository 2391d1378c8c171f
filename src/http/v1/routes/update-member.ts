/**
 * PATCH /v1/member/{memberId}, and the older PATCH /v1/owner/{memberId}: changes what is sent of the membership. The person
 * is changed as a person.
 * Source: the member object of the platform's v1 reference; rows 140 and 141 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { readMemberChange } from '../../../dialects/v1/readers/member.ts';
import { Member, MemberChangeBody } from '../../../dialects/v1/shapes/member.ts';
import { viewMember } from '../../../dialects/v1/views/member.ts';
import { operation } from '../../operation.ts';
import { MEMBERS, type MemberPath, OWNERS } from '../member-paths.ts';

const update = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `update${Name}` as `update${P['Name']}`,
    method: 'PATCH',
    path: `${path}/:memberId`,
    summary: `Update ${name}`,
    status: 200,
    params: Type.Object({ memberId: Type.String() }),
    body: MemberChangeBody,
    response: Member,
    example: {
      params: ({ seed }) => ({ memberId: seed('member_id') }),
      body: { ownership: '25.50', title: 'CFO', isControlPerson: false, metadata: { externalId: '10' } },
    },
    run({ bank }, { params, body }) {
      const id = readId('member', params.memberId);
      return viewMember(bank.members.change(id, readMemberChange(body)), bank.program);
    },
  });

export const updateMember = update(MEMBERS);
export const updateOwner = update(OWNERS);
