/**
 * The switches of the bank's behaviour.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';

export const SettingsShape = Type.Object({
  magic_values: Type.Boolean({ description: 'Whether the published magic values of v1 decide.' }),
  card_controls_in_test: Type.Boolean({
    description: 'False: the card test of v1 looks at balance, card and account only, as published.',
  }),
});

export const retrieveSettings = controlOperation({
  id: 'sandbox_retrieve_settings',
  method: 'GET',
  path: '/_sandbox/settings',
  group: 'Rules',
  summary: 'Show the switches',
  status: 200,
  response: SettingsShape,
  run({ sandbox }) {
    const { magicValues, cardControlsInTest } = sandbox.bank.outcomes.settings();
    return { magic_values: magicValues, card_controls_in_test: cardControlsInTest };
  },
});
