// The user and password of an address become a header, and no text shows them.

import { expect, it } from 'vitest';
import { maskAddresses, targetOf } from '../../../src/bank/kernel/address.ts';

const basic = (user: string): string => `Basic ${Buffer.from(user).toString('base64')}`;

it.each([
  ['http://ada:secret@127.0.0.1:3000/hooks?a=b@c', 'http://127.0.0.1:3000/hooks?a=b@c', basic('ada:secret')],
  ['https://ada@host.example', 'https://host.example', basic('ada:')],
  ['https://a%40b:p%3Aw@host.example/', 'https://host.example/', basic('a@b:p:w')],
  ['https://ada:p@ss@host.example/', 'https://host.example/', basic('ada:p@ss')],
  ['https://ada:100%@host.example/', 'https://host.example/', basic('ada:100%')],
  ['https://żółw:hasło@host.example/', 'https://host.example/', basic('żółw:hasło')],
])('%s is sent as basic authorization', (address, url, authorization) => {
  expect(targetOf(address)).toEqual({ url, headers: { authorization } });
});

it.each(['http://127.0.0.1:3000/a@b', 'https://host.example?user=a@b', 'https://@host.example/'])(
  '%s has no credentials',
  (address) => {
    expect(targetOf(address).headers).toEqual({});
  },
);

it('a text shows neither the user nor the password of its addresses', () => {
  const text =
    'to "https://ada:p@ss@host.example/x" and HTTP://u:p@h:1, not to me@mail.example or http://h/a@b';
  expect(maskAddresses(text)).toBe(
    'to "https://***@host.example/x" and HTTP://***@h:1, not to me@mail.example or http://h/a@b',
  );
});
