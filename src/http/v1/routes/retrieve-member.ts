/**
 * GET /v1/member/{memberId}, and the older GET /v1/owner/{memberId}.
 * Source: the member object of the platform's v1 reference; row 141 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Member } from '../../../dialects/v1/shapes/member.ts';
import { viewMember } from '../../../dialects/v1/views/member.ts';
import { operation } from '../../operation.ts';
import { MEMBERS, type MemberPath, OWNERS } from '../member-paths.ts';

const retrieve = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `retrieve${Name}` as `retrieve${P['Name']}`,
    method: 'GET',
    path: `${path}/:memberId`,
    summary: `Retrieve ${name}`,
    status: 200,
    params: Type.Object({ memberId: Type.String() }),
    response: Member,
    example: {
      params: ({ seed }) => ({ memberId: seed('member_id') }),
    },
    run: ({ bank }, { params }) =>
      viewMember(bank.members.byId(readId('member', params.memberId)), bank.program),
  });

export const retrieveMember = retrieve(MEMBERS);
export const retrieveOwner = retrieve(OWNERS);
