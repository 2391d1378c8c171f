// Tokens: what each opens, for whom, how often and for how long.

import { describe, expect, test } from 'vitest';
import { createBankClock } from '../../src/bank/parts.ts';
import { createTokens, TOKEN_MS, type TokenPurpose } from '../../src/bank/tokens.ts';
import { createSequence, type Id } from '../../src/kernel/sequence.ts';
import { openTestSandbox, START, type TestSandbox } from '../support/sandbox.ts';

const OWN = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

/** The tokens of a sandbox, each verb in a commit of its own. */
function tokensOf({ sandbox, clock }: TestSandbox) {
  const tokens = createTokens({
    store: sandbox.store,
    clock: createBankClock(clock),
    sequence: createSequence('tokens'),
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
  ] as const)('for %s says what it is for, and is no other', async (purpose, pattern) => {
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

  test('is used once', async () => {
    const sandbox = openTestSandbox();
    const { issue, use } = tokensOf(sandbox);
    const made = await issue('set_pin', OWN);
    sandbox.clock.advance(TOKEN_MS - 1);
    expect(await use(made.token, 'set_pin', OWN)).toEqual({ ...made, usedAt: START + TOKEN_MS - 1 });
    await expect(use(made.token, 'set_pin', OWN)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('opens nothing after five minutes', async () => {
    const sandbox = openTestSandbox();
    const { issue, use } = tokensOf(sandbox);
    const { token } = await issue('show_card', OWN);
    sandbox.clock.advance(TOKEN_MS);
    await expect(use(token, 'show_card', OWN)).rejects.toMatchObject({ code: 'token_invalid' });
  });

  test('opens nothing else, and is not used up by trying', async () => {
    const { issue, use } = tokensOf(openTestSandbox());
    const { token } = await issue('show_card', OWN);
    for (const wrong of [
      use(token, 'set_pin', OWN),
      use(token, 'show_card', OTHER),
      use(`${token}0`, 'show_card', OWN),
      use('', 'show_card', OWN),
    ]) {
      await expect(wrong).rejects.toMatchObject({ code: 'token_invalid' });
    }
    expect((await use(token, 'show_card', OWN)).usedAt).toBe(START);
  });
});
