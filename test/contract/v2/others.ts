/**
 * Attachments, webhooks, the frame of lists, the envelope of events and the body of errors. Source: their pages in
 * the platform's v2 reference.
 */
import { rows, table } from '../rows.ts';

export const ATTACHMENT = table(
  'attachment',
  `
  id                              att_
  reference_id                    text
  label                           text?
  url                             url?
  + created_at                    time                      : in the published examples
  timestamps.created_at           time
  timestamps.deleted_at           empty                     : a deleted attachment is 404
  `,
);

const WEBHOOK_ROWS = rows(`
  id                              whk_
  client_id                       cli_
  description                     text?
  url                             url
  events                          texts
  timestamps.created_at           time
  timestamps.updated_at           time
  timestamps.deleted_at           empty                     : deleted-things
`);
export const WEBHOOK_V2 = table('webhook', WEBHOOK_ROWS, 'status (active|inactive)');
/** Only as the response of its creation. */
export const WEBHOOK_WITH_SECRET = table(
  'webhook with secret',
  WEBHOOK_ROWS,
  `
  status                          (active|inactive*)        : a new webhook is active
  secret                          text
  `,
);

const FRAME = `
  total                           integer
  data                            list
  has_more                        flag
  starting_after                  base64?
  ending_before                   base64?
`;

/** The frame of every list. */
export const LIST_V2 = table('list', FRAME);
export const WEBHOOK_EVENTS = table(
  'webhook events',
  FRAME.replace(/data\s+list/, 'data texts').replace(/base64\?/g, 'empty : all kinds are on one page'),
);

/** Decision `v2-event-envelope` in docs/fidelity.md: no document shows one. */
export const EVENT_V2 = table(
  'event',
  `
  + id                            hex:evt_                  : v2-event-envelope
  + event_type                    text                      : v2-event-envelope
  + client_id                     cli_                      : v2-event-envelope
  + env                           (+sandbox)                : v2-event-envelope
  + created_at                    time                      : v2-event-envelope
  + data                          object                    : v2-event-envelope
  `,
);

export const ERROR_V2 = table(
  'error',
  `
  request_id                      req_
  client_id                       cli_?
  method                          (GET|POST|PATCH|DELETE)
  status                          integer
  error.code                      text
  error.message                   text
  error.field_name                text?
  created_at                      time
  `,
);
