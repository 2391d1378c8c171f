/**
 * The person of a v1 call, and that person's records. A list of accounts, businesses or families contains the records
 * that the person owns, created or is a member of; the lists of a program contain all records. Only the holder of a
 * family's account can move its money and manage it.
 * Source: the lists of a program in the platform's v1 reference, the help on family
 * accounts, three public clients; decisions `lists-by-person` and
 * `family-money` in docs/fidelity.md.
 */

import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import type { AccountCondition, FamilyCondition, HolderCondition } from '../../model/filters.ts';
import { formatV1 } from '../ids.ts';
import type { Context } from '../operation.ts';
import { parseId } from './fields.ts';

/** The bank and the person of a call; `''` for no person. */
type Call = Pick<Context, 'bank' | 'personId'>;

/** The user token that an app sends after `Bearer`: the key of the sandbox, and the person if there is one. */
export function formatUserToken(key: string, personId: Id | ''): string {
  return personId === '' ? key : `${key}:${formatV1('person', personId)}`;
}

function narrows({ bank, personId }: Call): boolean {
  return personId !== '' && bank.outcomes.settings().listsByPerson;
}

/** The accounts of the person of the call, and of the businesses and families of that person. */
export function ownAccounts(call: Call): AccountCondition[] {
  const { bank, personId } = call;
  if (!narrows(call)) return [];
  const holders: Id[] = [personId as Id, ...bank.members.businessesOfPerson(personId as Id)];
  return [
    {
      anyOf: [
        [on('createdBy', { is: personId })],
        [on('holderId', { oneOf: holders })],
        [on('familyId', { oneOf: bank.families.idsOfPerson(personId as Id) })],
      ],
    },
  ];
}

/** The businesses that the person of the call created or is a member of. */
export function ownBusinesses(call: Call): HolderCondition[] {
  if (!narrows(call)) return [];
  return [on('id', { oneOf: call.bank.members.businessesOfPerson(call.personId as Id) })];
}

/** The families that the person of the call created or is a member of. */
export function ownFamilies(call: Call): FamilyCondition[] {
  if (!narrows(call)) return [];
  return [on('id', { oneOf: call.bank.families.idsOfPerson(call.personId as Id) })];
}

/**
 * Checks that the person of a call may move the money of an account. Refuses: `account_not_found`,
 * `not_account_holder`.
 */
export function requireMover({ bank, personId }: Call, accountIds: readonly string[]): void {
  if (personId === '') return;
  for (const accountId of new Set(accountIds)) {
    requireHolder({ bank, personId }, parseId('account', accountId, 'accountId'));
  }
}

/**
 * Checks that the person of a call may manage an account; that of a family only its holder. Refuses:
 * `account_not_found`, `not_account_holder`.
 */
export function requireHolder({ bank, personId }: Call, accountId: Id): void {
  const { account } = bank.accounts.byId(accountId);
  if (personId !== '' && account.familyId !== '' && account.holderId !== personId) {
    throw refuse('not_account_holder', { field: 'sd-person-id' });
  }
}
