/**
 * An attachment on v2's wire, and the body that makes one. `url` is a signed link, `""` where the platform shows none.
 * Source: the attachment operations of the platform's v2 reference; rows 200 and 202 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { ATTACHED_TIMES, body, IdText, record, Text, TextInput } from './fields.ts';
import { listOf } from './page.ts';

export const Attachment = record('Attachment', 'A file that is attached to a record.', {
  id: IdText,
  reference_id: IdText,
  label: Text,
  url: Type.String({ description: 'A link of 5 minutes to the file; "" in lists.' }),
  ...ATTACHED_TIMES,
});
export const AttachmentList = listOf('AttachmentList', Attachment);

export const NewAttachment = body('NewAttachment', 'What a file is attached to, and under which label.', {
  reference_id: Type.String({ maxLength: 100, description: 'The id of the record that it is attached to.' }),
  label: Type.Optional(TextInput),
});
