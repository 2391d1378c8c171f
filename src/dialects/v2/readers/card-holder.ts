/**
 * Reads the bodies that make and change a card holder, and the filter of their list. A person is changed field by field,
 * an address whole.
 * Source: the card holder operations of the platform's v2 reference; row 170 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CardHolderChange, NewCardHolder } from '../../../bank/inputs.ts';
import type { Program } from '../../../model/records.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseId } from '../../identifiers.ts';
import { readId } from '../ids.ts';
import type { CardHolderQuery, CardHolderUpdate, NewCardHolderInput } from '../shapes/card-holder.ts';
import { sent } from './fields.ts';
import { readPerson, readPersonChange } from './people.ts';

/** Reads a new card holder. Refuses: `account_not_found`, `field_invalid`, `phone_invalid`. */
export function readNewCardHolder(body: Static<typeof NewCardHolderInput>): NewCardHolder {
  return {
    accountId: readId('account', body.sub_account_id),
    person: readPerson(body.person),
    ...readWords(body),
  };
}

/** Reads a change of a card holder. Refuses: `field_invalid`, `phone_invalid`. */
export function readCardHolderChange(body: Static<typeof CardHolderUpdate>): CardHolderChange {
  return {
    ...sent('person', body.person && readPersonChange(body.person)),
    ...readWords(body),
    ...sent('status', body.status),
  };
}

/** Reads the filter of the list: every card holder is under the one master account. */
export function readCardHolderFilters(
  { master_account_id: master = '' }: Static<typeof CardHolderQuery>,
  { masterAccountId }: Program,
): Condition[] {
  const elsewhere = master !== '' && parseId('master_account', master) !== masterAccountId;
  return elsewhere ? [{ field: 'id', is: '' }] : [];
}

type Words = Pick<Static<typeof CardHolderUpdate>, 'external_reference_id' | 'purpose' | 'metadata'>;

function readWords(body: Words) {
  return {
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('purpose', body.purpose),
    ...sent('metadata', body.metadata),
  };
}
