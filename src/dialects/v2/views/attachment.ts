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
import type { Attachments, CardAttachments } from '../shapes/fields.ts';

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
    timestamps: viewTimes(attachment),
  };
}

/** Writes what is attached to a record; `null` when nothing is. */
export function viewAttachments({ attachmentsOf }: Viewer, id: Id): Static<typeof Attachments> {
  const attached = attachmentsOf?.(id);
  if (attached === undefined || attached.length === 0) return null;
  return attached.map((attachment) => ({
    id: writeId('attachment', attachment.id),
    label: attachment.label,
    timestamps: viewTimes(attachment),
  }));
}

/** The same for a card, whose items have their time of making a second time. */
export function viewCardAttachments(viewer: Viewer, id: Id): Static<typeof CardAttachments> {
  const items = viewAttachments(viewer, id);
  return items?.map((item) => ({ ...item, created_at: item.timestamps.created_at })) ?? null;
}

function viewTimes({ createdAt, deletedAt }: Attachment): Static<typeof AttachmentShape>['timestamps'] {
  return { created_at: formatInstant(createdAt), deleted_at: formatInstantOrEmpty(deletedAt) };
}
