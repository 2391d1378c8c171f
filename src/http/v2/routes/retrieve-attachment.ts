/**
 * Shows an attachment with a fresh link of 5 minutes to its file. One that was deleted is not there any more.
 * Source: the attachment operations of the platform's v2 reference; rows 45d and 202 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { Attachment } from '../../../dialects/v2/shapes/attachment.ts';
import { viewAttachment } from '../../../dialects/v2/views/attachment.ts';
import { operation } from '../../operation.ts';

export const retrieveAttachment = operation({
  id: 'v2_retrieve_attachment',
  method: 'GET',
  path: '/v2/attachment/:attachment_id',
  summary: 'Retrieve an attachment',
  status: 200,
  params: Type.Object({ attachment_id: Type.String() }),
  response: Attachment,
  example: {
    params: ({ seed }) => ({ attachment_id: seed('attachment_id') }),
  },
  run: ({ bank, fileLink }, { params }) => {
    const attachment = bank.attachments.byId(readId('attachment', params.attachment_id));
    return viewAttachment(attachment, fileLink('attachment', attachment.id));
  },
});
