/**
 * Writes attachments: each as a record of its own, and those of another record as items in it.
 * Source: the attachments page and operations of the platform's v2 reference; rows 200 to 202 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Id } from '../../../kernel/sequence.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Attachment, Program } from '../../../model/records.ts';
import { spellV2 } from '../../identifiers.ts';
import { writeId } from '../ids.ts';
import type { Attachment as AttachmentShape } from '../shapes/attachment.ts';
import type { Attachments } from '../shapes/fields.ts';

/** Whose record is written, and what is attached to it; nothing is, where that cannot be asked. */
export interface Viewer extends Program {
  readonly attachmentsOf?: ((id: Id) => readonly Attachment[]) | undefined;
}

/** Writes an attachment with a link to its file. */
export function viewAttachment(attachment: Attachment, url: string): Static<typeof AttachmentShape> {
  return {
    id: writeId('attachment', attachment.id),
    reference_id: spellV2(attachment.kind, attachment.referenceId),
    label: attachment.label,
    url,
    ...viewTimes(attachment),
  };
}

/** Writes what is attached to a record; `null` when nothing is. */
export function viewAttachments({ attachmentsOf }: Viewer, id: Id): Static<typeof Attachments> {
  const attached = attachmentsOf?.(id);
  if (attached === undefined || attached.length === 0) return null;
  return attached.map((attachment) => ({
    id: writeId('attachment', attachment.id),
    label: attachment.label,
    ...viewTimes(attachment),
  }));
}

/** The time of making stands in both of the published places. */
function viewTimes({ createdAt, deletedAt }: Attachment) {
  const made = formatInstant(createdAt);
  return {
    created_at: made,
    timestamps: { created_at: made, deleted_at: formatInstantOrEmpty(deletedAt) },
  };
}
