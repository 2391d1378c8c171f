/** The mobile app of the platform against a bank of its own, in both storage modes. */
import { describe, it } from 'vitest';
import { decideByLink, PLACES, runApp } from './mobile-app.ts';

describe('the app', () => {
  it.each(PLACES)('does everything for a person in %s, and shows nothing of another', async (place) => {
    await runApp(place, decideByLink);
  });
});
