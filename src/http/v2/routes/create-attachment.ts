/**
 * Attaches a file to a record of any kind. The answer's link is where the file itself is sent to, within 5 minutes.
 * Source: the attachment operations of the platform's v2 reference; rows 200 and 202 of docs/fidelity.md.
 */
import { readNewAttachment } from '../../../dialects/v2/readers/attachment.ts';
import { Attachment, NewAttachment } from '../../../dialects/v2/shapes/attachment.ts';
import { viewAttachment } from '../../../dialects/v2/views/attachment.ts';
import { operation } from '../../operation.ts';

export const createAttachment = operation({
  id: 'v2_create_attachment',
  method: 'POST',
  path: '/v2/attachment',
  summary: 'Create an attachment',
  status: 201,
  refuses: [
    'holder_not_found',
    'account_not_found',
    'master_account_not_found',
    'card_holder_not_found',
    'card_not_found',
    'counterparty_not_found',
    'transaction_not_found',
  ],
  body: NewAttachment,
  response: Attachment,
  example: {
    body: ({ seed }) => ({ reference_id: seed('sub_account_id'), label: 'Signed agreement' }),
  },
  run: ({ bank, fileLink }, { body }) => {
    const attachment = bank.attachments.create(readNewAttachment(body));
    return viewAttachment(attachment, fileLink('attachment', attachment.id));
  },
});
