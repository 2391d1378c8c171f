/** A bank whose default records include a month of history. Decision `seed-history` in docs/fidelity.md. */
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import type { RailsProfile } from '../../../src/bank/model/timetable.ts';
import { createSeedImages } from '../../../src/sandboxes/sandbox/seed-images.ts';
import { seededId } from '../../../src/sandboxes/sandbox/seeding.ts';

const NOW = Date.parse('2026-11-20T18:00:00.000Z');
const clock = { now: () => NOW };
const imagesOf = (rails: RailsProfile, history: boolean) =>
  createSeedImages({ seed: 'test', rails, webhookUrl: null, clock, path: null, history });

describe.each<RailsProfile>(['manual', 'fast', 'calendar'])('a month of history on %s rails', (rails) => {
  test('has payroll, rent, purchases and a return at different times, and books that balance', () => {
    const images = imagesOf(rails, true);
    images.withTemporary(images.image(), (sandbox) => {
      const { bank, seeded, outbox } = sandbox;
      expect(sandbox.audit().problems).toEqual([]);
      const account = seededId(seeded, 'account');
      const { items } = bank.payments.ofAccount(account, { kind: 'offset', limit: 100, offset: 0 });
      const days = new Set(items.map(({ createdAt }) => Math.floor(createdAt / DAY_MS)));
      expect([items.length > 25, days.size > 18]).toEqual([true, true]);
      expect(items.every(({ createdAt }) => createdAt <= NOW && createdAt >= NOW - 31 * DAY_MS)).toBe(true);
      const count = (fits: (item: (typeof items)[number]) => boolean) => items.filter(fits).length;
      expect({
        payroll: count(({ description, status }) => description === 'Payroll' && status === 'settled'),
        rent: count(({ description, status }) => description === 'Rent' && status === 'settled'),
        returned: count(({ status }) => status === 'returned'),
        purchases: count(({ rail, status }) => rail === 'card_authorization' && status === 'settled'),
        declined: count(({ status }) => status === 'declined'),
        refunds: count(({ rail }) => rail === 'card_refund'),
        savings: count(({ rail }) => rail === 'intra_push'),
      }).toEqual({ payroll: 3, rent: 1, returned: 1, purchases: 16, declined: 1, refunds: 1, savings: 2 });
      expect(bank.statements.list(account, { kind: 'offset', limit: 10, offset: 0 }).items).toHaveLength(2);
      // The payments in the document have the same times as without a history.
      expect(bank.payments.byId(seededId(seeded, 'send_ach')).createdAt).toBe(NOW);
      const facts = Array.from({ length: outbox.latestSeq() }, (_, seq) => outbox.fact(seq + 1)?.at ?? 0);
      expect(facts).toEqual(facts.toSorted((one, other) => one - other));
    });
  });

  test('the history is the same for the same seed and instant, and restored by a reset', () => {
    const images = imagesOf(rails, true);
    const image = images.image();
    expect(imagesOf(rails, true).image().equals(image)).toBe(true);
    images.withTemporary(image, (sandbox) => expect(images.imageOf(sandbox).equals(image)).toBe(true));
    expect(imagesOf(rails, false).image().length).toBeLessThan(image.length);
  });
});

test('an account without the setting has only its first deposit', () => {
  const images = imagesOf('manual', false);
  images.withTemporary(images.image(), ({ bank, seeded }) => {
    const account = seededId(seeded, 'account');
    expect(bank.payments.ofAccount(account, { kind: 'offset', limit: 10, offset: 0 }).items).toHaveLength(1);
  });
});
