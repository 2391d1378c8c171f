/**
 * GET /v1/member, the older GET /v1/owner, and GET /v1/program/{programId}/member: members, newest first. A key belongs to
 * one program, so the lists are the same.
 * Source: "list all members" of the platform's v1 reference; rows 16, 141 and 149 of docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { readMemberFilters } from '../../../dialects/v1/readers/member.ts';
import { MemberList, MemberQuery } from '../../../dialects/v1/shapes/member.ts';
import { viewMember } from '../../../dialects/v1/views/member.ts';
import { operation } from '../../operation.ts';
import { MEMBERS, type MemberPath, OWNERS } from '../member-paths.ts';

function list({ members, program }: Bank, query: Static<typeof MemberQuery>) {
  const page = members.list(readMemberFilters(query), readWindow(query));
  return writeList(page, (file) => viewMember(file, program));
}

const listAll = <P extends MemberPath>({ path, Names, names }: P) =>
  operation({
    id: `list${Names}` as `list${P['Names']}`,
    method: 'GET',
    path,
    summary: `List ${names}`,
    status: 200,
    query: MemberQuery,
    response: MemberList,
    example: {
      query: ({ seed }) => ({ limit: '10', businessId: seed('business_id'), minOwnership: '25' }),
    },
    run: ({ bank }, { query }) => list(bank, query),
  });

export const listMembers = listAll(MEMBERS);
export const listOwners = listAll(OWNERS);

export const listProgramMembers = operation({
  id: 'listProgramMembers',
  method: 'GET',
  path: '/v1/program/:programId/member',
  summary: 'List the members of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: MemberQuery,
  response: MemberList,
  example: { params: ({ seed }) => ({ programId: seed('program_id') }), query: { isControlPerson: 'true' } },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    return list(bank, query);
  },
});
