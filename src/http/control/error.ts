/**
 * The body of every refusal of the control plane.
 */
import { Type } from '@sinclair/typebox';

export const ControlError = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    hint: Type.String({ description: 'What to do about it, or the field at fault; "" for nothing.' }),
  }),
});
