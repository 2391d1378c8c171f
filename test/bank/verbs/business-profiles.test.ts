/**
 * The data of v1 businesses besides their records: projections, which the KYB locks, and the disclosure, which is
 * signed at its current link.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/bank/kernel/time.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { kindsV1, kindsV2 } from './parties.ts';

const HOME = 'https://client.example/done';
const request = (regenerate = false, redirectUri = HOME) => ({ redirectUri, regenerate });

describe('business projections', () => {
  it('are not set at first, and then are those that were sent last', async () => {
    const { bank, id, run } = openTestSandbox();
    expect(bank.businessProfiles.byId(id('business')).projection).toBeNull();
    for (const transactions of [{ a: 1 }, { b: { c: '2' } }]) {
      const profile = await run(() => bank.businessProfiles.project(id('business'), { transactions }));
      expect(profile.projection).toEqual({ transactions });
      expect(bank.businessProfiles.byId(id('business'))).toEqual(profile);
    }
  });

  it('do not change after the decision on the KYB, whatever it was', async () => {
    const { bank, id, run } = openTestSandbox();
    for (const [outcome, isOver] of [
      ['review', false],
      ['fail', true],
      ['pass', true],
    ] as const) {
      await run(() => bank.holders.decide(id('business'), outcome));
      const change = run(() => bank.businessProfiles.project(id('business'), { transactions: outcome }));
      if (isOver) await expect(change).rejects.toMatchObject({ code: 'projection_locked' });
      else await change;
    }
    expect(bank.businessProfiles.byId(id('business')).projection).toEqual({ transactions: 'review' });
  });

  it('are accepted only for a business', async () => {
    const { bank, id, run } = openTestSandbox();
    const { project, disclose, disclosureOf, sign, byId } = bank.businessProfiles;
    for (const nobody of [id('person'), '0'.repeat(32)]) {
      for (const verb of [
        () => byId(nobody),
        () => project(nobody, {}),
        () => disclose(nobody, request()),
        () => disclosureOf(nobody),
        () => sign(nobody, 1),
      ]) {
        await expect(run<unknown>(verb)).rejects.toMatchObject({ code: 'holder_not_found' });
      }
    }
  });
});

describe('a disclosure', () => {
  it('starts once, and keeps its link for five minutes', async () => {
    const { bank, id, run, clock } = openTestSandbox();
    const business = id('business');
    expect(bank.businessProfiles.disclosureOf(business)).toEqual({
      businessId: business,
      disclosure: null,
      openUntil: null,
    });
    const first = await run(() => bank.businessProfiles.disclose(business, request()));
    expect(first).toMatchObject({
      disclosure: { status: 'pending', redirectUri: HOME, generation: 1, linkedAt: START },
      openUntil: START + 5 * MINUTE_MS,
    });
    clock.advance(5 * MINUTE_MS - 1);
    const again = await run(() => bank.businessProfiles.disclose(business, request(false, 'app://done')));
    expect(again.disclosure).toMatchObject({ generation: 1, linkedAt: START, redirectUri: 'app://done' });
    clock.advance(1);
    expect(bank.businessProfiles.disclosureOf(business).openUntil).toBeNull();
    const later = await run(() => bank.businessProfiles.disclose(business, request()));
    expect(later.disclosure).toMatchObject({ generation: 2, linkedAt: START + 5 * MINUTE_MS });
  });

  it('is signed once, and only at its current link', async () => {
    const sandbox = openTestSandbox();
    const { bank, id, run, clock } = sandbox;
    const business = id('business');
    const { sign, disclose, disclosureOf } = bank.businessProfiles;
    await expect(run(() => sign(business, 1))).rejects.toMatchObject({ code: 'link_expired' });
    await run(() => disclose(business, request()));
    await run(() => disclose(business, request(true)));
    await expect(run(() => sign(business, 1))).rejects.toMatchObject({ code: 'link_expired' });
    clock.advance(1_000);
    const signed = await run(() => sign(business, 2));
    expect(signed).toMatchObject({ status: 'completed', updatedAt: START + 1_000 });
    clock.advance(1_000);
    sandbox.newFacts();
    expect(await run(() => sign(business, 2))).toEqual(signed);
    expect(await run(() => disclose(business, request(false, 'app://other')))).toEqual(
      disclosureOf(business),
    );
    expect(disclosureOf(business)).toMatchObject({ disclosure: signed, openUntil: null });
    expect(sandbox.newFacts()).toEqual([]);
    const anew = await run(() => disclose(business, request(true)));
    expect(anew.disclosure).toMatchObject({ status: 'pending', generation: 3 });
  });

  it('publishes an update of the business whenever its status changes', async () => {
    const sandbox = openTestSandbox();
    const { bank, id, run } = sandbox;
    const business = id('business');
    await run(() => bank.businessProfiles.disclose(business, request()));
    await run(() => bank.businessProfiles.disclose(business, request()));
    await run(() => bank.businessProfiles.disclose(business, request(true)));
    await run(() => bank.businessProfiles.sign(business, 2));
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['business.updated', 'business.updated']);
    expect(kindsV2(facts)).toEqual(['sub_account_holder.updated', 'sub_account_holder.updated']);
    expect(facts.map(({ record }) => (record as { disclosure?: string }).disclosure)).toEqual([
      'pending',
      'completed',
    ]);
    expect(bank.holders.byId(business).disclosure).toBe('completed');
  });

  it('is kept when the business changes, and is not required for a KYB', async () => {
    const { bank, id, run } = openTestSandbox();
    const business = id('business');
    const { holder } = await run(() => bank.holders.submitKyb(business));
    expect(holder.verification.status).toBe('pass');
    await run(() => bank.businessProfiles.disclose(business, request()));
    expect((await run(() => bank.holders.lock(business))).disclosure).toBe('pending');
    expect((await run(() => bank.holders.change(business, { purpose: 'x' }))).disclosure).toBe('pending');
  });
});
