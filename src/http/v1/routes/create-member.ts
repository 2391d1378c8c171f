/**
 * POST /v1/member, and the older POST /v1/owner: a person becomes a member of a business or of a family. A person that is
 * sent instead of named is made.
 * Source: the member pages of the platform's v1 reference; rows 140 and 141 of docs/fidelity.md.
 */
import { readNewMember } from '../../../dialects/v1/readers/member.ts';
import { Member, NewMemberBody } from '../../../dialects/v1/shapes/member.ts';
import { viewMember } from '../../../dialects/v1/views/member.ts';
import { operation } from '../../operation.ts';
import { PERSON } from '../examples.ts';
import { MEMBERS, type MemberPath, OWNERS } from '../member-paths.ts';

const create = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `create${Name}` as `create${P['Name']}`,
    method: 'POST',
    path,
    summary: `Create ${name}`,
    status: 201,
    refuses: ['holder_not_active', 'member_exists', 'phone_taken'],
    body: NewMemberBody,
    response: Member,
    example: {
      body: ({ seed }) => ({
        businessId: seed('new_business_id'),
        person: PERSON,
        ownership: '50',
        title: 'CEO',
        isControlPerson: true,
        metadata: { externalId: '9' },
      }),
    },
    run: ({ bank }, { body }) => viewMember(bank.members.create(readNewMember(body)), bank.program),
  });

export const createMember = create(MEMBERS);
export const createOwner = create(OWNERS);
