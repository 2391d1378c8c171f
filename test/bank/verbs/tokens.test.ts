// Tokens: the action and the record that each allows, how often, and for how long.

import { describe, expect, test } from 'vitest';
import { createSequence, type Id } from '../../../src/bank/kernel/sequence.ts';
import { createBankClock } from '../../../src/bank/verbs/dependencies.ts';
import { createTokens, TOKEN_MS, type TokenPurpose } from '../../../src/bank/verbs/tokens.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';

const OWN = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

/** The tokens of a sandbox, each command in a commit of its own. */
function tokensOf({ sandbox, clock }: TestSandbox) {
  const tokens = createTokens({
    store: sandbox.store,
    clock: createBankClock(clock),
    sequence: createSequence('tokens'),
    secretFor: (drawn) => drawn,
  });
  return {
    issue: (purpose: TokenPurpose, subject: Id) => sandbox.commit(() => tokens.issue(purpose, subject)),
    use: (text: string, purpose: TokenPurpose, subject: Id) =>
      sandbox.commit(() => tokens.use(text, purpose, subject)),
  };
}

describe('a token', () => {
  test.each([
    ['show_card', /^card_show_test_[0-9a-f]{24}$/],
    ['set_pin', /^card_pin_test_[0-9a-f]{24}$/],
    ['set_debit_card', /^debit_card_test_[0-9a-f]{24}$/],
  ] as const)('for %s contains its purpose and is unique', async (purpose, pattern) => {
    const { issue } = tokensOf(openTestSandbox());
    const [first, second] = [await issue(purpose, OWN), await issue(purpose, OWN)];
    expect(first).toEqual({
      token: expect.stringMatching(pattern),
      purpose,
      subjectId: OWN,
      expiresAt: START + TOKEN_MS,
      usedAt: null,
    });
    expect(second.token).not.toBe(first.token);
  });

  test.each(['set_pin', 'set_debit_card'] as const)('for %s is used once', async (purpose) => {
    const sandbox = openTestSandbox();
    const { issue, use } = tokensOf(sandbox);
    const made = await issue(purpose, OWN);
    sandbox.clock.advance(TOKEN_MS - 1);
    expect(await use(made.token, purpose, OWN)).toEqual({ ...made, usedAt: START + TOKEN_MS - 1 });
    await expect(use(made.token, purpose, OWN)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('for showing a card is used any number of times, and a use writes nothing', async () => {
    const sandbox = openTestSandbox();
    const { issue, use } = tokensOf(sandbox);
    const made = await issue('show_card', OWN);
    const before = digestOf(sandbox.sandbox);
    for (const _ of [1, 2, 3, 4]) expect(await use(made.token, 'show_card', OWN)).toEqual(made);
    sandbox.clock.advance(TOKEN_MS - 1);
    expect(await use(made.token, 'show_card', OWN)).toEqual(made);
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('expires after five minutes', async () => {
    const sandbox = openTestSandbox();
    const { issue, use } = tokensOf(sandbox);
    const { token } = await issue('show_card', OWN);
    sandbox.clock.advance(TOKEN_MS);
    await expect(use(token, 'show_card', OWN)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('has one purpose, and a refused use does not consume it', async () => {
    const { issue, use } = tokensOf(openTestSandbox());
    const { token } = await issue('set_pin', OWN);
    for (const wrong of [
      use(token, 'show_card', OWN),
      use(token, 'set_debit_card', OWN),
      use(token, 'set_pin', OTHER),
      use(`${token}0`, 'set_pin', OWN),
      use('', 'set_pin', OWN),
    ]) {
      await expect(wrong).rejects.toMatchObject({ code: 'token_invalid' });
    }
    expect((await use(token, 'set_pin', OWN)).usedAt).toBe(START);
  });
});
