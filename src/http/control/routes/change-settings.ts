/**
 * Sets switches of the bank's behaviour; what is not named stays.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { SettingsShape, viewSettings } from './retrieve-settings.ts';

export const changeSettings = controlOperation({
  id: 'sandbox_change_settings',
  method: 'PUT',
  path: '/_sandbox/settings',
  group: 'Rules',
  summary: 'Set switches',
  status: 200,
  body: Type.Partial(SettingsShape),
  response: SettingsShape,
  example: { body: { account_numbers: 'off' } },
  run: async ({ sandbox }, { body }) => {
    const { magic_values: magicValues, card_controls_in_test: cardControlsInTest } = body;
    const { account_numbers: accountNumbers } = body;
    const { outcomes } = sandbox.bank;
    try {
      await sandbox.commit(() =>
        outcomes.changeSettings({
          ...(magicValues !== undefined && { magicValues }),
          ...(cardControlsInTest !== undefined && { cardControlsInTest }),
          ...(accountNumbers !== undefined && { accountNumbers: accountNumbers === 'on' }),
        }),
      );
      return viewSettings(sandbox.bank);
    } finally {
      outcomes.forget();
    }
  },
});
