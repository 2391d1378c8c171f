// The libraries that the guide to webhook signatures names, with the code of the guide. What each refuses is the reason
// for that code.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import { beforeAll, describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../../src/bank/delivery/signature.ts';

type EventOf = (body: string, headers: object, secret: string) => unknown;

const ROOT = new URL('../../../', import.meta.url);
const GUIDE = readFileSync(new URL('docs/guides/webhook-signatures.md', ROOT), 'utf8');
const SECRETS = { v1: 'sk_test_0123456789abcdef0123456789abcdef', v2: 'k3Jq0VtY8mZc5RbN1xWd7PfLs2GhUa9E' };
const BODY = '{"id":"evt_018f8613012b7e51b96c6eeabb6dbe92","data":{"label":"Zoë"}}';

const signed = (secret: string) =>
  signatureHeaders({ secret, id: 'evt_1', body: BODY, timestampSeconds: Math.floor(Date.now() / 1000) });

describe.each([
  ['standardwebhooks', Standard, JSON.parse(BODY)],
  ['svix', Svix, undefined],
] as const)('%s', (name, Webhook, returned) => {
  let eventOf: EventOf;

  beforeAll(async () => {
    const [, code = ''] =
      new RegExp(`^\`\`\`js\\n(// ${name}\\.mjs\\n[\\s\\S]*?)^\`\`\`$`, 'm').exec(GUIDE) ?? [];
    expect(code).toContain('Webhook');
    // Inside of the project, so that it finds the libraries.
    const file = new URL(`node_modules/.cache/guide-${name}-${process.pid}.mjs`, ROOT);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, code);
    eventOf = ((await import(fileURLToPath(file))) as { eventOf: EventOf }).eventOf;
    rmSync(file);
  });

  test.each(Object.entries(SECRETS))('accepts a delivery of %s with the code of the guide', (_, secret) => {
    expect(eventOf(BODY, signed(secret), secret)).toEqual(JSON.parse(BODY));
    expect(eventOf(BODY, Object.fromEntries(new Headers(signed(secret))), secret)).toEqual(JSON.parse(BODY));
    expect(() => eventOf(`${BODY} `, signed(secret), secret)).toThrow('No matching signature');
  });

  test.each(Object.entries(SECRETS))('does not accept the secret of %s as Base64', (_, secret) => {
    expect(() => new Webhook(secret).verify(BODY, signed(secret))).toThrow();
    const whsec = `whsec_${Buffer.from(secret).toString('base64')}`;
    expect(() => new Webhook(whsec).verify(BODY, signed(secret))).not.toThrow();
  });

  test('refuses the Headers of fetch', () => {
    const headers = new Headers(signed(SECRETS.v2)) as never;
    expect(() => new Webhook(SECRETS.v2, { format: 'raw' }).verify(BODY, headers)).toThrow(
      'Missing required headers',
    );
  });

  test(`returns ${returned === undefined ? 'nothing' : 'the event'} from verify`, () => {
    expect(new Webhook(SECRETS.v2, { format: 'raw' }).verify(BODY, signed(SECRETS.v2))).toEqual(returned);
  });
});
