/**
 * Rules in the control plane: the payments that they match, and the outcome of those.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatMoney, MONEY_PATTERN, parseMoney } from '../../bank/kernel/money.ts';
import { RAILS, type RailName } from '../../bank/model/rails/index.ts';
import type { Direction } from '../../bank/model/vocabulary.ts';
import {
  DISPUTE_OUTCOMES,
  type DisputeOutcome,
  type Rule,
  type RuleMatch,
  type RuleOutcome,
} from '../../bank/verbs/transactions/outcomes.ts';
import { ReturnCode } from './fields.ts';
import { controlOperation } from './operation.ts';

/** The rails on which a payment starts; the other rails are for additional transactions of a payment. */
const RULED_RAILS = (Object.keys(RAILS) as RailName[]).filter(
  (rail) =>
    !/^(card_(?!authorization)|intra_received|account_(opening|closing)|sub_ledgered|reversal|debit_card_chargeback)/.test(
      rail,
    ),
);

const Text = Type.String({ minLength: 1, maxLength: 200 });
const Amount = Type.String({ pattern: MONEY_PATTERN, description: 'Dollars and cents, like "12.50".' });

const RuleShape = Type.Object({
  match: Type.Object(
    {
      rail: Type.Optional(Type.Unsafe<RailName>(Type.String({ enum: RULED_RAILS }))),
      direction: Type.Optional(Type.Unsafe<Direction>(Type.String({ enum: ['debit', 'credit'] }))),
      amount: Type.Optional(
        Type.Object({
          min: Type.Optional(Amount),
          max: Type.Optional(Amount),
          equals: Type.Optional(Amount),
        }),
      ),
      account_number: Type.Optional({ ...Text, description: 'The whole number.' }),
      routing_number: Type.Optional({ ...Text, description: 'Nine digits.' }),
      name: Type.Optional(Text),
      mcc: Type.Optional(
        Type.String({ pattern: '^\\d{4}$', description: 'A merchant category code, four digits.' }),
      ),
    },
    {
      description:
        'All named fields must match. Account number, routing number and name are those of the other side.',
    },
  ),
  outcome: Type.Object(
    {
      return_code: Type.Optional(ReturnCode),
      decline_reason: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]\\w{0,63}$',
          description:
            'Declines the payment with this reason, which is one word; at once if the rail allows it.',
        }),
      ),
      review: Type.Optional(
        Type.Boolean({ description: 'The payment is put in review and waits for a decision.' }),
      ),
      dispute: Type.Optional(
        Type.Unsafe<DisputeOutcome>(
          Type.String({
            enum: [...DISPUTE_OUTCOMES],
            description:
              'For a card purchase: its holder disputes it as soon as it is captured, and wins, loses or waits. With the rails `calendar` the decision follows after 90 days.',
          }),
        ),
      ),
      charge_back: Type.Optional(
        Type.Boolean({
          description:
            'For a debit card pull: the holder of the other card disputes it as soon as it is settled.',
        }),
      ),
      after: Type.Optional(
        Type.String({
          description:
            'ISO 8601, like P2D: how long after the payment was made. An ACH payment is returned at the latest when its window closes. A card purchase is declined at once.',
        }),
      ),
      late: Type.Optional(
        Type.Boolean({
          description: 'For a return with `after`: it happens even after its window has closed.',
        }),
      ),
    },
    { description: 'The outcome of the payment. An empty object: the ordinary steps, without magic values.' },
  ),
});

const RulesShape = Type.Object({ rules: Type.Array(RuleShape, { maxItems: 1000 }) });

type RuleWire = Static<typeof RuleShape>;

/** A rule as the bank stores it. */
function parseRule({ match, outcome }: RuleWire): Rule {
  const { rail, direction, amount, account_number, routing_number, name, mcc } = match;
  const { return_code, decline_reason, review, dispute, charge_back, after, late } = outcome;
  return {
    match: defined<RuleMatch>({
      rail,
      direction,
      amount:
        amount &&
        defined<NonNullable<RuleMatch['amount']>>({
          min: parseCents(amount.min),
          max: parseCents(amount.max),
          equals: parseCents(amount.equals),
        }),
      accountNumber: account_number,
      routingNumber: routing_number,
      name,
      mcc,
    }),
    outcome: defined<RuleOutcome>({
      returnCode: return_code,
      declineReason: decline_reason,
      review,
      dispute,
      chargeBack: charge_back,
      after,
      late,
    }),
  };
}

/** A rule as it was sent. */
function formatRule({ match, outcome }: Rule): RuleWire {
  const { accountNumber, routingNumber, amount, ...rest } = match;
  const { returnCode, declineReason, review, dispute, chargeBack, after, late } = outcome;
  return {
    match: defined<RuleWire['match']>({
      ...rest,
      amount:
        amount &&
        defined<NonNullable<RuleWire['match']['amount']>>({
          min: formatCents(amount.min),
          max: formatCents(amount.max),
          equals: formatCents(amount.equals),
        }),
      account_number: accountNumber,
      routing_number: routingNumber,
    }),
    outcome: defined<RuleWire['outcome']>({
      return_code: returnCode,
      decline_reason: declineReason,
      review,
      dispute,
      charge_back: chargeBack,
      after,
      late,
    }),
  };
}

const parseCents = (text: string | undefined) => (text === undefined ? undefined : parseMoney(text));
const formatCents = (cents: number | undefined) => (cents === undefined ? undefined : formatMoney(cents));

type Undefinable<T> = { [K in keyof T]: T[K] | undefined };

/** Removes undefined fields. */
function defined<T extends object>(input: Undefinable<T>): T {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as T;
}

export const RULE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_rules',
    method: 'GET',
    path: '/_sandbox/rules',
    group: 'Rules',
    summary: 'Show the rules',
    description:
      'Shows the rules that decide the outcomes of payments. They are applied in this order, and the first that matches decides.',
    answer: 'The rules in their order.',
    status: 200,
    response: RulesShape,
    run: ({ sandbox }) => ({ rules: sandbox.bank.outcomes.rules().map(formatRule) }),
  }),

  controlOperation({
    id: 'sandbox_replace_rules',
    method: 'PUT',
    path: '/_sandbox/rules',
    group: 'Rules',
    summary: 'Replace the rules',
    description:
      'Replaces the rules; the first rule that matches a payment decides its outcome: a return code, a decline, a review, a dispute or a chargeback. The rules are stored with the bank, so snapshots contain them, and they apply to payments from now on.',
    answer: 'The new rules.',
    status: 200,
    body: RulesShape,
    response: RulesShape,
    example: {
      body: {
        rules: [
          {
            match: { rail: 'ach_push', amount: { min: '500.00' } },
            outcome: { return_code: 'R03', after: 'P2D' },
          },
        ],
      },
    },
    command: ({ sandbox }, { body }) => {
      const rules = body.rules.map(parseRule);
      sandbox.bank.outcomes.setRules(rules);
      return { rules: rules.map(formatRule) };
    },
  }),
] as const;
