// The card data that requires tokens (number, code and PIN), and the data for wallets.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { Card } from '../../../src/bank/model/records.ts';
import type { MobileWallet } from '../../../src/bank/model/vocabulary.ts';
import type { CardDetailsInput } from '../../../src/bank/verbs/inputs.ts';
import { TOKEN_MS } from '../../../src/bank/verbs/tokens.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { kindsV1, kindsV2 } from './parties.ts';

const INVALID = { code: 'token_invalid' };
const CARD = 'virtual_card';

const cardOf = ({ bank, id }: TestSandbox): Card => bank.cards.byId(id(CARD)).card;
const close = ({ run, id }: TestSandbox) => run(({ cards }) => cards.change(id(CARD), { status: 'closed' }));
const tokenFor = async ({ run, id }: TestSandbox, verb: 'showToken' | 'pinToken'): Promise<string> =>
  (await run(({ cardVault }) => cardVault[verb](id(CARD)))).token;
const show = ({ run, id }: TestSandbox, token: string, card = id(CARD)) =>
  run(({ cardVault }) => cardVault.show(card, token));
const setPin = (test: TestSandbox, token: string, given: Partial<CardDetailsInput> = {}) => {
  const { expiryMonth, expiryYear, last4 } = cardOf(test);
  return test.run(({ cardVault }) =>
    cardVault.setPin(test.id(CARD), token, { expiryMonth, expiryYear, last4, ...given }),
  );
};

describe('a token for showing a card', () => {
  test('returns number and code any number of times, and changes nothing', async () => {
    const sandbox = openTestSandbox();
    const token = await tokenFor(sandbox, 'showToken');
    const before = digestOf(sandbox.sandbox);
    for (const _ of [1, 2, 3, 4]) expect(await show(sandbox, token)).toEqual(cardOf(sandbox));
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('expires after five minutes', async () => {
    const sandbox = openTestSandbox();
    const token = await tokenFor(sandbox, 'showToken');
    sandbox.clock.advance(TOKEN_MS - 1);
    expect((await show(sandbox, token)).number).toMatch(/^40000200\d{8}$/);
    sandbox.clock.advance(1);
    await expect(show(sandbox, token)).rejects.toMatchObject(INVALID);
  });

  test('shows no other card, and cannot set a PIN', async () => {
    const sandbox = openTestSandbox();
    const token = await tokenFor(sandbox, 'showToken');
    await expect(show(sandbox, token, sandbox.id('physical_card'))).rejects.toMatchObject(INVALID);
    await expect(setPin(sandbox, token)).rejects.toMatchObject(INVALID);
    expect((await show(sandbox, token)).id).toBe(sandbox.id(CARD));
  });

  test('is refused if it was not issued by the bank', async () => {
    const sandbox = openTestSandbox();
    for (const token of ['', 'x', `card_show_test_${'0'.repeat(24)}`]) {
      await expect(show(sandbox, token)).rejects.toMatchObject(INVALID);
    }
  });

  test('is issued only for an existing card that is not closed, and stops working when the card is closed', async () => {
    const sandbox = openTestSandbox();
    const token = await tokenFor(sandbox, 'showToken');
    await close(sandbox);
    const before = digestOf(sandbox.sandbox);
    await expect(show(sandbox, token)).rejects.toMatchObject({ code: 'card_closed' });
    await expect(tokenFor(sandbox, 'showToken')).rejects.toMatchObject({ code: 'card_closed' });
    await expect(tokenFor(sandbox, 'pinToken')).rejects.toMatchObject({ code: 'card_closed_for_pin' });
    const nobody: Id = '0'.repeat(32);
    await expect(show(sandbox, token, nobody)).rejects.toMatchObject({ code: 'card_not_found' });
    await expect(sandbox.run(({ cardVault }) => cardVault.showToken(nobody))).rejects.toMatchObject({
      code: 'card_not_found',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });
});

describe('a token for setting a PIN', () => {
  test('sets the PIN once, and publishes nothing', async () => {
    const sandbox = openTestSandbox();
    const token = await tokenFor(sandbox, 'pinToken');
    sandbox.newFacts();
    sandbox.clock.advance(1_000);
    const before = cardOf(sandbox);
    expect(before.pinSetAt).toBe(null);
    await setPin(sandbox, token);
    expect(cardOf(sandbox)).toEqual({ ...before, pinSetAt: START + 1_000 });
    expect(sandbox.newFacts()).toEqual([]);
    await expect(setPin(sandbox, token)).rejects.toMatchObject(INVALID);
  });

  test('is not used up by wrong card details', async () => {
    const sandbox = openTestSandbox();
    const token = await tokenFor(sandbox, 'pinToken');
    const before = digestOf(sandbox.sandbox);
    await expect(setPin(sandbox, token, { last4: '0000', expiryYear: '1' })).rejects.toMatchObject({
      code: 'card_details_mismatch',
      field: 'expiryYear',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
    await setPin(sandbox, token);
    expect(cardOf(sandbox).pinSetAt).toBe(START);
  });

  test('is checked before any response about the card', async () => {
    const sandbox = openTestSandbox();
    await expect(setPin(sandbox, 'x', { last4: '0000' })).rejects.toMatchObject(INVALID);
    const token = await tokenFor(sandbox, 'pinToken');
    await expect(show(sandbox, token)).rejects.toMatchObject(INVALID);
    sandbox.clock.advance(TOKEN_MS);
    await expect(setPin(sandbox, token)).rejects.toMatchObject(INVALID);
  });
});

describe('the provisioning of a card', () => {
  const provision = ({ run, id }: TestSandbox, wallet: MobileWallet, card = CARD) =>
    run(({ cardVault }) => cardVault.provision(id(card), wallet));

  test('returns the data for the wallet, and publishes an event in v1', async () => {
    const sandbox = openTestSandbox();
    const before = sandbox.bank.cards.byId(sandbox.id(CARD));
    const apple = await provision(sandbox, 'apple_pay');
    const [, secret] = [expect.any(String), expect.stringMatching(/^[A-Za-z0-9]{88}$/)];
    const paymentAccountReference = expect.stringMatching(/^[0-9A-F]{29}$/);
    expect(apple).toEqual({
      wallet: 'apple_pay',
      paymentAccountReference,
      activationData: secret,
      encryptedPassData: secret,
      ephemeralPublicKey: secret,
    });
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['card.wallet.created']);
    expect(kindsV2(facts)).toEqual([]);
    expect(facts[0]?.record).toEqual(before);
    expect(sandbox.bank.cards.byId(sandbox.id(CARD))).toEqual(before);
    for (const wallet of ['google_pay', 'samsung_pay'] as const) {
      const pass = await provision(sandbox, wallet);
      expect(pass).toEqual({
        wallet,
        paymentAccountReference: apple.paymentAccountReference,
        opaquePaymentCard: secret,
      });
    }
  });

  test('requires an open card', async () => {
    const sandbox = openTestSandbox();
    await expect(provision(sandbox, 'apple_pay', 'physical_card')).rejects.toMatchObject({
      code: 'card_not_open',
      message: 'the card is pending_activation; a wallet accepts only an open one',
    });
    await close(sandbox);
    await expect(provision(sandbox, 'apple_pay')).rejects.toMatchObject({
      code: 'card_closed_for_wallet',
    });
    expect(kindsV1(sandbox.newFacts())).toEqual(['card.canceled']);
  });
});
