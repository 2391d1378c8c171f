/**
 * The two paths of members: the platform's own, and the one that its older clients call. Each operation on members is
 * written once and made for both.
 * Source: row 141 of docs/fidelity.md.
 */

/** A path, and what stands there in the ids and summaries of its operations. */
export interface MemberPath {
  readonly path: string;
  readonly Name: string;
  readonly Names: string;
  readonly name: string;
  readonly names: string;
}

export const MEMBERS = {
  path: '/v1/member',
  Name: 'Member',
  Names: 'Members',
  name: 'a member',
  names: 'members',
} as const satisfies MemberPath;

export const OWNERS = {
  path: '/v1/owner',
  Name: 'Owner',
  Names: 'Owners',
  name: 'a member, by the older path',
  names: 'members, by the older path',
} as const satisfies MemberPath;
