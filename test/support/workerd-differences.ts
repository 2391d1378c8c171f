/**
 * The allowed differences between the responses of a sandbox in a process and of one in an object, which were seeded
 * with the same random seed at different times. Everything else must be identical.
 */
export const DIFFERENCES: readonly {
  readonly in: RegExp;
  readonly shown: string;
  readonly because: string;
}[] = [
  {
    in: /signature=[\w-]+/g,
    shown: 'signature=<signature>',
    because: 'the signature of a link covers the ids and times in it',
  },
  {
    in: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-|01[0-9a-f]{10}7[0-9a-f]{3}/g,
    shown: '<at>',
    because: 'an id begins with the time at which it was made; the rest of it is drawn, and the same',
  },
  {
    in: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z|\d{4}-\d{2}-\d{2}/g,
    shown: '<time>',
    because: 'the clock of the process stands still, and that of the object is the real one',
  },
  {
    in: /https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g,
    shown: '<address>',
    because: 'the two servers have different addresses',
  },
  {
    in: /expires=\d+/g,
    shown: 'expires=<time>',
    because: 'a link expires some time after it was made',
  },
  {
    in: /[0-9A-F]{9}(?=7[0-9A-F]{19}")/g,
    shown: '<at>',
    because: 'the reference of a payment account is made of the id of its card',
  },
  {
    in: /"((?:duration_)?ms)":[\d.]+/g,
    shown: '"$1":<ms>',
    because: 'a request takes some time',
  },
  {
    in: /"[0-9a-f]{64}"|v1,[\w+/]{43}=/g,
    shown: '<signature>',
    because: 'the signature of a webhook covers the ids and times in it',
  },
  {
    in: /id="trace">[^<]*/g,
    shown: 'id="trace"><trace>',
    because: 'a trace is compressed, with the ids and times in it',
  },
  {
    in: /"unavailable":\[[^\]]*\]/g,
    shown: '"unavailable":<list>',
    because: 'an object lacks what needs connections or files',
  },
];

/** A response without the allowed differences. */
export const comparableText = (text: string): string =>
  DIFFERENCES.reduce((so, one) => so.replaceAll(one.in, one.shown), text);

/** The operations of the control plane whose responses to their examples differ, by their ids. */
export const CONTROL_DIFFERENCES: Readonly<Record<string, string>> = {
  sandbox_export: 'an object exports its rows, and a process a SQLite database',
  sandbox_list_sandboxes: 'an object is kept in a file, and has another size',
  sandbox_list_snapshots: 'an image of rows has fewer bytes than a database',
  sandbox_retrieve_snapshot: 'an image of rows has fewer bytes than a database',
  sandbox_take_snapshot: 'an image of rows has fewer bytes than a database',
  sandbox_send_example: 'the runtime has its own message for a receiver that does not listen',
};
