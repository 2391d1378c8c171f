/**
 * Deletes an attachment: no record shows it any more, and its links open nothing. A second time it is not there.
 * Source: the attachment operations of the platform's v2 reference; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { operation } from '../../operation.ts';

export const deleteAttachment = operation({
  id: 'v2_delete_attachment',
  method: 'DELETE',
  path: '/v2/attachment/:attachment_id',
  summary: 'Delete an attachment',
  status: 204,
  params: Type.Object({ attachment_id: Type.String() }),
  example: {
    params: ({ seed }) => ({ attachment_id: seed('attachment_id') }),
  },
  run: ({ bank }, { params }) => bank.attachments.remove(readId('attachment', params.attachment_id)),
});
