/**
 * Sets switches of the bank's behaviour; what is not named stays.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { SettingsShape } from './retrieve-settings.ts';

export const changeSettings = controlOperation({
  id: 'sandbox_change_settings',
  method: 'PUT',
  path: '/_sandbox/settings',
  group: 'Rules',
  summary: 'Set switches',
  status: 200,
  body: Type.Partial(SettingsShape),
  response: SettingsShape,
  run: async ({ sandbox }, { body }) => {
    const { magic_values: magicValues, card_controls_in_test: cardControlsInTest } = body;
    const { outcomes } = sandbox.bank;
    try {
      const next = await sandbox.commit(() =>
        outcomes.changeSettings({
          ...(magicValues !== undefined && { magicValues }),
          ...(cardControlsInTest !== undefined && { cardControlsInTest }),
        }),
      );
      return { magic_values: next.magicValues, card_controls_in_test: next.cardControlsInTest };
    } finally {
      outcomes.forget();
    }
  },
});
