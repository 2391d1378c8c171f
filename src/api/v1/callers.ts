/**
 * Who a call of v1 is made for, and what is theirs. A list of accounts, businesses or families has what the person of
 * the call owns, made or is a member of; the lists of a program have everything. Only the holder of a family's account moves
 * its money and manages it.
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

/** The person of a call, `''` for nobody, and the bank. */
type Call = Pick<Context, 'bank' | 'personId'>;

/** The token of a user, as an app sends it after `Bearer`: the key of the sandbox, and the person if there is one. */
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

/** The businesses that the person of the call made or is a member of. */
export function ownBusinesses(call: Call): HolderCondition[] {
  if (!narrows(call)) return [];
  return [on('id', { oneOf: call.bank.members.businessesOfPerson(call.personId as Id) })];
}

/** The families that the person of the call made or is a member of. */
export function ownFamilies(call: Call): FamilyCondition[] {
  if (!narrows(call)) return [];
  return [on('id', { oneOf: call.bank.families.idsOfPerson(call.personId as Id) })];
}

/**
 * Makes sure that the person of a call may move the money of an account. Refuses: `account_not_found`,
 * `not_account_holder`.
 */
export function requireMover({ bank, personId }: Call, accountIds: readonly string[]): void {
  if (personId === '') return;
  for (const accountId of new Set(accountIds)) {
    requireHolder({ bank, personId }, parseId('account', accountId, 'accountId'));
  }
}

/**
 * Makes sure that the person of a call may manage an account: of a family only its holder. Refuses: `account_not_found`,
 * `not_account_holder`.
 */
export function requireHolder({ bank, personId }: Call, accountId: Id): void {
  const { account } = bank.accounts.byId(accountId);
  if (personId !== '' && account.familyId !== '' && account.holderId !== personId) {
    throw refuse('not_account_holder', { field: 'sd-person-id' });
  }
}
