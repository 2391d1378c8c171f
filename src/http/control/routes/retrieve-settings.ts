/**
 * The switches of the bank's behaviour.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { controlOperation } from '../operation.ts';

export const SettingsShape = Type.Object({
  magic_values: Type.Boolean({ description: 'Whether the published magic values of v1 decide.' }),
  card_controls_in_test: Type.Boolean({
    description: 'False: the card test of v1 looks at balance, card and account only, as published.',
  }),
  account_numbers: Type.Unsafe<'on' | 'off'>({
    type: 'string',
    enum: ['on', 'off'],
    description: 'Off: accounts that open from now on have neither an account number nor a routing number.',
  }),
});

/** The switches as they are. */
export function viewSettings({ outcomes }: Pick<Bank, 'outcomes'>): Static<typeof SettingsShape> {
  const { magicValues, cardControlsInTest, accountNumbers } = outcomes.settings();
  return {
    magic_values: magicValues,
    card_controls_in_test: cardControlsInTest,
    account_numbers: accountNumbers ? 'on' : 'off',
  };
}

export const retrieveSettings = controlOperation({
  id: 'sandbox_retrieve_settings',
  method: 'GET',
  path: '/_sandbox/settings',
  group: 'Rules',
  summary: 'Show the switches',
  status: 200,
  response: SettingsShape,
  run: ({ sandbox }) => viewSettings(sandbox.bank),
});
