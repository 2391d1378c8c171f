/**
 * The error body of the control plane: a code, a message, and a hint about the fix.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Refusal } from '../../bank/kernel/refusal.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';

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

/** The hints. */
const HINTS: Readonly<Partial<Record<RefusalCode, string>>> = {
  control_token_wrong:
    'send it in the header x-control-token; it is SANDBANK_CONTROL_TOKEN, or was logged when the server started',
  host_foreign: 'call it by 127.0.0.1, [::1] or localhost, or set SANDBANK_ALLOWED_HOSTS',
  origin_foreign: 'call it from a program or from a page of this server',
};

/** The body of a refusal in the control plane. */
export function formatRefusal({ code, message, field, legal }: Refusal): Static<typeof ControlError> {
  const hint = HINTS[code] ?? (legal.length > 0 ? `legal: ${legal.join(', ')}` : field);
  return { error: { code, message, hint } };
}
