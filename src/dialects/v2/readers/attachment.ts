/**
 * Reads the body that makes an attachment. Its reference may be the id of a record of any kind that files are attached
 * to, in either generation's spelling; the prefix says which.
 * Source: the attachment operations of the platform's v2 reference; row 200 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { NewAttachment as NewAttachmentInput } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { ATTACHABLE } from '../../../model/records.ts';
import { parseId, spellV2 } from '../../identifiers.ts';
import type { NewAttachment } from '../shapes/attachment.ts';
import { sent } from './fields.ts';

const FIELD = 'reference_id';

/** Refuses: `field_invalid` for a reference that is the id of no such record. */
export function readNewAttachment(body: Static<typeof NewAttachment>): NewAttachmentInput {
  for (const kind of ATTACHABLE) {
    const referenceId = parseId(kind, body[FIELD]);
    if (referenceId !== undefined) return { kind, referenceId, ...sent('label', body.label) };
  }
  const forms = ATTACHABLE.map((kind) => spellV2(kind, '...')).join(', ');
  throw refuse('field_invalid', {
    field: FIELD,
    message: `${FIELD} is the id of a record that files are attached to: ${forms}`,
  });
}
