/**
 * The test values with which a client chooses an outcome: of an ACH transfer in v1, and of a verification.
 * Source: "receive ACH testing" and "send ACH testing" of the platform's v1 reference; decisions `v1-magic-amounts`
 * and `verification-digits` in docs/fidelity.md.
 */
import type { Cents } from '../kernel/money.ts';

// Pulls by a client.

/** A pull of this amount or more is declined. */
export const RECEIVE_DECLINED_FROM: Cents = 100_00;
/** A pull of this amount or more, but below the limit above, is returned. */
export const RECEIVE_RETURNED_FROM: Cents = 50_00;
/** A pull from this account is returned. */
export const UNKNOWN_ACCOUNT_NUMBER = '9999999999';

// Pushes by a client.

/** A push of exactly this amount is returned. */
export const SEND_RETURNED_AMOUNT: Cents = 99_99;
/** A push of this amount or more is declined. */
export const SEND_DECLINED_FROM: Cents = 1100_00;

/** Id numbers, and their last four digits, that several holders can share. */
export const REUSABLE_NUMBERS: readonly string[] = [
  '099999999',
  '199999999',
  '999999999',
  '0999',
  '1999',
  '9999',
];
