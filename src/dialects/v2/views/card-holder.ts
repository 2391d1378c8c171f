/**
 * Writes a card holder: somebody who may use a card and is screened, but not verified as an account's holder is.
 * Source: the card holder record of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { CardHolder } from '../../../model/records.ts';
import { writeId } from '../ids.ts';
import type { CardHolder as CardHolderShape } from '../shapes/card-holder.ts';
import { type Viewer, viewAttachments } from './attachment.ts';
import { viewOfac, viewOwner } from './fields.ts';
import { viewPerson } from './people.ts';

/** Writes a card holder. */
export function viewCardHolder(cardHolder: CardHolder, program: Viewer): Static<typeof CardHolderShape> {
  return {
    id: writeId('card_holder', cardHolder.id),
    ...viewOwner(program),
    sub_account_holder_id: writeId('holder', cardHolder.holderId),
    sub_account_id: writeId('account', cardHolder.accountId),
    person: viewPerson(cardHolder.person, null, null),
    external_reference_id: cardHolder.externalReferenceId,
    purpose: cardHolder.purpose,
    ofac: viewOfac(cardHolder.ofacStatus, cardHolder.ofacAt),
    attachments: viewAttachments(program, cardHolder.id),
    metadata: cardHolder.metadata,
    status: cardHolder.status,
    timestamps: {
      created_at: formatInstant(cardHolder.createdAt),
      updated_at: formatInstant(cardHolder.updatedAt),
      deactivated_at: formatInstantOrEmpty(cardHolder.deactivatedAt),
    },
  };
}
