/** The mobile app of the platform against a bank of its own, in both storage modes. */
import { describe, it, vi } from 'vitest';
import { decideByLink, PLACES, runApp } from './mobile-app.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

describe('the app', () => {
  it.each(PLACES)('does everything for a person in %s, and shows nothing of another', async (place) => {
    await runApp(place, decideByLink);
  });
});
