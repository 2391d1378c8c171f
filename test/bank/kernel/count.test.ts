// A number of things has the right form of the noun.

import { expect, it } from 'vitest';
import { counted } from '../../../src/bank/kernel/count.ts';

it.each([
  [counted(1, 'sandbox', 'sandboxes'), '1 sandbox'],
  [counted(2, 'sandbox', 'sandboxes'), '2 sandboxes'],
  [counted(0, 'call'), '0 calls'],
  [counted(1, 'call'), '1 call'],
])('%s is the form for its number', (text, expected) => {
  expect(text).toBe(expected);
});
