// JSON with half of a surrogate pair is refused, wherever the half is.

import { expect, it } from 'vitest';
import { parseWholeJson } from '../../../src/bank/kernel/whole-text.ts';

it.each([
  ['a text', '{"people":[{"name":"Ada"},{"name":"Ada \\uD83D"}]}', 'people.1.name'],
  ['a second half', '{"name":"\\ude00 Ada"}', 'name'],
  ['halves in the wrong order', '{"name":"\\ude00\\ud83d"}', 'name'],
  ['the name of a field', '{"metadata":{"\\ud83d":"x"}}', 'metadata'],
  ['the body itself', '"\\ud83d"', ''],
])('%s is refused with its field', (_, text, field) => {
  expect(() => parseWholeJson(text)).toThrow(
    expect.objectContaining({
      code: 'field_invalid',
      field,
      message: expect.stringContaining('half of a surrogate pair'),
    }),
  );
});

it('a half below a hundred thousand lists is found', () => {
  const depth = 100_000;
  expect(() => parseWholeJson(`${'['.repeat(depth)}"\\ud83d"${']'.repeat(depth)}`)).toThrow(
    'half of a surrogate pair',
  );
});

it('whole pairs and a backslash before a "u" are accepted', () => {
  expect(parseWholeJson('{"name":"\\ud83d\\ude00 \\\\ud83d"}')).toEqual({ name: '😀 \\ud83d' });
});
