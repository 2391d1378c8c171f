/**
 * The error body of the control plane: a code, a message, and a hint about the fix.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Refusal } from '../../bank/kernel/refusal.ts';
import { REFUSALS } from '../../bank/kernel/refusals.ts';

export const ControlError = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      hint: Type.String({
        description: 'What to do, or the invalid field; absent if there is neither.',
      }),
    }),
  },
  { title: 'Error', description: 'An error.' },
);

/** The body of a refusal in the control plane. */
export function formatRefusal({ code, message, field, legal }: Refusal): Static<typeof ControlError> {
  const hint = REFUSALS[code].hint ?? (legal.length > 0 ? `legal: ${legal.join(', ')}` : field);
  return { error: { code, message, hint } };
}
