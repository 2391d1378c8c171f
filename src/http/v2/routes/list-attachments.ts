/**
 * Lists the attachments of all records that were not deleted, newest first and without links.
 * Source: the attachment operations of the platform's v2 reference; row 16 of docs/fidelity.md.
 */
import { readPageRequest, writePage } from '../../../dialects/v2/paging.ts';
import { AttachmentList } from '../../../dialects/v2/shapes/attachment.ts';
import { PageQuery } from '../../../dialects/v2/shapes/page.ts';
import { viewAttachment } from '../../../dialects/v2/views/attachment.ts';
import { operation } from '../../operation.ts';

export const listAttachments = operation({
  id: 'v2_list_attachments',
  method: 'GET',
  path: '/v2/attachment',
  summary: 'List attachments',
  status: 200,
  query: PageQuery,
  response: AttachmentList,
  example: {
    query: { limit: '10' },
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('attachment', query);
    return writePage(
      'attachment',
      bank.attachments.list(request),
      request,
      (attachment) => viewAttachment(attachment, ''),
      ({ id }) => id,
    );
  },
});
