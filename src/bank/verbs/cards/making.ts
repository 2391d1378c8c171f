/**
 * The parts of a card: number, controls, shipment and names. Numbers are test numbers with a valid Luhn check digit,
 * from the sandbox's random sequence. This file does not use the store; the verbs are in `cards.ts`.
 * Source: decisions `one-control-list`, `controls-update`, `account-card-numbers`, `new-card-defaults`,
 * `card-creation-needs` and `card-bin` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Sequence } from '../../kernel/sequence.ts';
import { DAY_MS, type Instant, utcDate } from '../../kernel/time.ts';
import type {
  Account,
  Address,
  Card,
  CardControls,
  CardHolder,
  ControlList,
  Shipment,
} from '../../model/records.ts';
import type { CardDetailsInput, ControlsChange, NewCard } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';

/** A number range that card networks reserve for tests. */
const NUMBER_PREFIX = '40000200';
const NUMBER_LENGTH = 16;
const VALID_YEARS = 4;
const DELIVERY_DAYS = 10;
const EMBOSSED_LENGTH = 23;
const NOT_EMBOSSED = /[!"&'*+,:;<=>@_]/;

const NO_CONTROLS: CardControls = {
  allowed: { merchants: [], categories: [], countries: [] },
  blocked: { merchants: [], categories: [], countries: [] },
  limit: { period: '', maxSpendAmount: null, maxSpendPerTransaction: null, maxSpendCount: null },
  atmEnabled: true,
};

/** A new card number, code and expiry. */
function freshDetails(
  sequence: Sequence,
  now: Instant,
): Pick<Card, 'number' | 'cvv' | 'last4' | 'expiryMonth' | 'expiryYear'> {
  const body = NUMBER_PREFIX + sequence.digits(NUMBER_LENGTH - NUMBER_PREFIX.length - 1);
  const number = body + luhnDigit(body);
  const today = utcDate(now);
  return {
    number,
    cvv: sequence.digits(3),
    last4: number.slice(-4),
    expiryMonth: today.slice(5, 7),
    expiryYear: String(Number(today.slice(0, 4)) + VALID_YEARS),
  };
}

/** The shipment of a new card. Refuses: `field_too_long` and `field_invalid` for a name that cannot be printed on a card. */
function newShipment(
  {
    embossing,
    shippingAddress,
  }: Pick<NewCard, 'embossing'> & { shippingAddress?: Address | null | undefined },
  now: Instant,
): Shipment {
  const { cardHolderName = '', businessName = '' } = embossing ?? {};
  requireEmbossable('cardHolderName', cardHolderName);
  requireEmbossable('businessName', businessName);
  return {
    cardHolderName,
    businessName,
    shippingAddress: shippingAddress ?? null,
    trackingStatus: 'pending',
    eta: utcDate(now + DELIVERY_DAYS * DAY_MS),
    number: '',
    url: '',
    provider: '',
  };
}

/** The controls after a change: lists are replaced as a whole, limits field by field. Refuses: `card_controls_both`. */
export function changeControls(present: CardControls, change: ControlsChange | undefined): CardControls {
  if (change === undefined) return present;
  const next: CardControls = {
    allowed: { ...present.allowed, ...change.allowed },
    blocked: { ...present.blocked, ...change.blocked },
    limit: { ...present.limit, ...change.limit },
    atmEnabled: change.atmEnabled ?? present.atmEnabled,
  };
  for (const list of ['merchants', 'categories', 'countries'] as const satisfies (keyof ControlList)[]) {
    if (next.allowed[list].length > 0 && next.blocked[list].length > 0) {
      throw refuse('card_controls_both', {
        field: `controls.${change.blocked?.[list] === undefined ? 'allowed' : 'blocked'}.${list}`,
        message: `${list} have an allowed and a blocked list: set one list and empty the other`,
      });
    }
  }
  return next;
}

const DETAILS = [
  ['expiryMonth', 'the expiry month'],
  ['expiryYear', 'the expiry year'],
  ['last4', 'the last four digits'],
] as const satisfies [keyof CardDetailsInput, string][];

/** Checks the data printed on the card. Refuses: `card_details_mismatch`, with the fields that differ. */
export function requireDetails(card: Card, input: CardDetailsInput): void {
  const wrong = DETAILS.filter(([field]) => input[field] !== card[field]);
  const [first] = wrong;
  if (first === undefined) return;
  const named = wrong.map(([, words]) => words).join(', ');
  throw refuse('card_details_mismatch', { field: first[0], message: `differs from the card: ${named}` });
}

function requireEmbossable(field: string, name: string): void {
  if (name.length > EMBOSSED_LENGTH) {
    throw refuse('field_too_long', {
      field,
      message: `${field} has ${name.length} characters; the maximum on a card is ${EMBOSSED_LENGTH}`,
    });
  }
  const refused = NOT_EMBOSSED.exec(name)?.[0];
  if (refused !== undefined) {
    throw refuse('field_invalid', {
      field,
      message: `${field} has a ${refused}, which cannot be printed on a card: leave out ! " & ' * + , : ; < = > @ and _`,
    });
  }
}

/** The Luhn check digit of a card number. */
function luhnDigit(body: string): string {
  let sum = 0;
  for (let place = 0; place < body.length; place += 1) {
    const digit = Number(body[body.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

/** A new card: a virtual one is open at once, a physical one waits for its activation. */
export function newCard(
  sequence: Sequence,
  account: Account,
  cardHolder: CardHolder,
  input: NewCard,
  now: Instant,
): Card {
  const physical = input.type === 'physical';
  return {
    id: sequence.id(now),
    accountId: account.id,
    holderId: account.holderId,
    holderType: account.holderType,
    familyId: account.familyId,
    cardHolderId: cardHolder.id,
    label: input.label ?? '',
    product: input.product ?? (account.holderType === 'business' ? 'business_spend' : 'consumer_debit'),
    theme: input.theme ?? '',
    type: input.type,
    bin: input.bin ?? 'debit',
    ...freshDetails(sequence, now),
    shipment: physical ? newShipment(input, now) : null,
    billingAddress: input.billingAddress ?? null,
    controls: changeControls(NO_CONTROLS, input.controls),
    externalReferenceId: input.externalReferenceId ?? '',
    metadata: mergeMetadata(null, input.metadata),
    status: physical ? 'pending_activation' : 'open',
    lockedFrom: null,
    replacedBy: '',
    createdAt: now,
    updatedAt: now,
    activatedAt: physical ? null : now,
    pinSetAt: null,
    closedAt: null,
  };
}

/** The replacement of a card, with a new number. */
export function replacementOf(
  sequence: Sequence,
  old: Card,
  shippingAddress: Address | undefined,
  now: Instant,
): Card {
  const { shipment } = old;
  const physical = old.type === 'physical';
  return {
    ...old,
    id: sequence.id(now),
    ...freshDetails(sequence, now),
    shipment:
      shipment === null
        ? null
        : newShipment(
            { embossing: shipment, shippingAddress: shippingAddress ?? shipment.shippingAddress },
            now,
          ),
    status: physical ? 'pending_activation' : 'open',
    createdAt: now,
    updatedAt: now,
    activatedAt: physical ? null : now,
    pinSetAt: null,
  };
}
