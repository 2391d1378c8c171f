/**
 * Attachments in v2: the record, the items in other records, and the operations. The body names the record by its id in
 * either API version's format; the prefix determines the kind. `url` is a signed link, or `""` where the platform shows
 * none.
 * Source: the attachments page and operations of the platform's v2 reference; decisions `attachment-subjects`,
 * `attachments-shown` and `attachment-links` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, formatInstantOrEmpty } from '../../kernel/time.ts';
import { ATTACHABLE, type Attachment as AttachmentRecord } from '../../model/records.ts';
import type { NewAttachment as NewAttachmentInput } from '../../verbs/inputs.ts';
import { formatV2, tryParseId } from '../ids.ts';
import { operation } from '../operation.ts';
import type { Viewer } from '../view.ts';
import {
  ATTACHED_TIMES,
  type Attachments,
  body,
  formatId,
  IdText,
  ifPresent,
  parseId,
  record,
  Text,
  TextInput,
  URI_OR_EMPTY,
} from './fields.ts';
import { formatPage, listOf, PageQuery, parsePageRequest } from './paging.ts';

export const Attachment = record('Attachment', 'A file that is attached to a record.', {
  id: IdText,
  reference_id: IdText,
  label: Text,
  url: Type.String({ description: 'A link to the file, valid for 5 minutes; "" in lists.', ...URI_OR_EMPTY }),
  ...ATTACHED_TIMES,
});
const AttachmentList = listOf('AttachmentList', Attachment);

const NewAttachment = body('NewAttachment', 'The fields of a new attachment.', {
  reference_id: Type.String({ maxLength: 100, description: 'The id of the record that it is attached to.' }),
  label: Type.Optional(TextInput),
});

const FIELD = 'reference_id';

/** Parses a new attachment. Refuses: `field_invalid` for a reference to a record that does not exist. */
function parseNewAttachment(body: Static<typeof NewAttachment>): NewAttachmentInput {
  for (const kind of ATTACHABLE) {
    const referenceId = tryParseId(kind, body[FIELD]);
    if (referenceId !== undefined) return { kind, referenceId, ...ifPresent('label', body.label) };
  }
  const forms = ATTACHABLE.map((kind) => formatV2(kind, '...')).join(', ');
  throw refuse('field_invalid', {
    field: FIELD,
    message: `${FIELD} must be the id of a record that can have attachments: ${forms}`,
  });
}

/** Formats an attachment with a link to its file. */
export function formatAttachment(attachment: AttachmentRecord, url: string): Static<typeof Attachment> {
  return {
    id: formatId('attachment', attachment.id),
    reference_id: formatV2(attachment.kind, attachment.referenceId),
    label: attachment.label,
    url,
    ...formatTimes(attachment),
  };
}

/** Formats the attachments of a record; `null` if there are none. */
export function formatAttachments(attachments: Viewer['attachments'], id: Id): Static<typeof Attachments> {
  const attached = attachments?.of(id);
  if (attached === undefined || attached.length === 0) return null;
  return attached.map((attachment) => ({
    id: formatId('attachment', attachment.id),
    label: attachment.label,
    ...formatTimes(attachment),
  }));
}

/** Formats the timestamps. The time of creation is in both documented places. */
function formatTimes({ createdAt, deletedAt }: AttachmentRecord) {
  const made = formatInstant(createdAt);
  return {
    created_at: made,
    timestamps: { created_at: made, deleted_at: formatInstantOrEmpty(deletedAt) },
  };
}

export const ATTACHMENT_OPERATIONS = [
  operation({
    id: 'v2_create_attachment',
    method: 'POST',
    path: '/v2/attachment',
    summary: 'Create an attachment',
    description:
      'Attaches a file to a holder, an account, a card, a counterparty or a transaction. The response has a link; send the file itself to it with PUT within five minutes.',
    answer: 'The attachment, with the link for its file.',
    decisions: ['attachment-subjects', 'attachment-links'],
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
      const attachment = bank.attachments.create(parseNewAttachment(body));
      return formatAttachment(attachment, fileLink('attachment', attachment.id));
    },
  }),

  operation({
    id: 'v2_list_attachments',
    method: 'GET',
    path: '/v2/attachment',
    summary: 'List attachments',
    description:
      'Lists the attachments of all records, newest first. The list does not contain deleted attachments or links to the files: retrieve an attachment to get a link.',
    answer: 'A page of attachments without links, newest first.',
    decisions: ['list-paging'],
    status: 200,
    query: PageQuery,
    response: AttachmentList,
    example: {
      query: { limit: '10' },
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('attachment', query);
      return formatPage(
        'attachment',
        bank.attachments.list(request),
        request,
        (attachment) => formatAttachment(attachment, ''),
        ({ id }) => id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_attachment',
    method: 'GET',
    path: '/v2/attachment/:attachment_id',
    summary: 'Retrieve an attachment',
    description:
      'Retrieves an attachment with a new link to its file, which is valid for five minutes. A deleted attachment returns 404.',
    answer: 'The attachment with a new link to its file.',
    decisions: ['deleted-things', 'attachment-links'],
    status: 200,
    response: Attachment,
    run: ({ bank, fileLink }, { params }) => {
      const attachment = bank.attachments.byId(parseId('attachment', params.attachment_id));
      return formatAttachment(attachment, fileLink('attachment', attachment.id));
    },
  }),

  operation({
    id: 'v2_delete_attachment',
    method: 'DELETE',
    path: '/v2/attachment/:attachment_id',
    summary: 'Delete an attachment',
    description:
      'Deletes an attachment. Records do not show it any more, and its links become invalid. A second request returns 404.',
    answer: 'The attachment was deleted; there is no body.',
    decisions: ['deleted-things'],
    status: 204,
    run: ({ bank }, { params }) => bank.attachments.remove(parseId('attachment', params.attachment_id)),
  }),
] as const;
