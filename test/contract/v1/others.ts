/**
 * Webhooks, the program, the frame of lists, the envelope of events and the body of errors. Source: their pages in
 * the platform's v1 reference and the models of its public clients.
 */
import { table } from '../rows.ts';

export const WEBHOOK_V1 = table(
  'webhook',
  `
  id                              wbh-
  programId                       prg-
  url                             url
  description                     text?
  status                          (active|paused|deactivated|deleted)
  events                          texts
  createdAt                       time
  modifiedAt                      time
  `,
);
export const WEBHOOK_SECRET = table('webhook secret', 'id wbh-', 'secret hex:sk_test_');
export const DELETED_WEBHOOK = table('deleted webhook', 'id wbh-', 'status (deleted)');
export const WEBHOOK_EVENTS_V1 = table('webhook events', 'total integer', 'data texts');

/** No field of it is published. */
export const PROGRAM = table(
  'program',
  `
  + id                            prg-                      : program-record
  + name                          text                      : program-record
  + status                        (+active)                 : program-record
  + env                           (+test)                   : program-record
  + sponsorBankName               text                      : program-record
  + routingNumber                 digits:9                  : program-record
  `,
);

/** The frame of every list. */
export const LIST_V1 = table('list', 'total integer', 'data list');

export const EVENT_V1 = table(
  'event',
  `
  eventType                       text
  programId                       prg-
  env                             (test|live*|staging*|qa*)  : this is the test mode
  data                            object
  `,
);

export const ERROR_V1 = table(
  'error',
  `
  requestId                       req-
  method                          (GET|POST|PATCH|DELETE)
  status                          integer
  code                            text
  message                         text
  sysMessage                      text
  programId                       prg-?
  env                             (test)
  createdAt                       time
  `,
);
