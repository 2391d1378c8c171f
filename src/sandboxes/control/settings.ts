/**
 * The switches of the bank's behaviour: magic values, card controls in v1's card test, account numbers, the records
 * in lists of v1 for a person, whether a KYB of v1 needs a disclosure, and whether v2 refuses a payment that the
 * account cannot make.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Shortfall } from '../../bank/model/vocabulary.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import { controlOperation } from './operation.ts';

export const SettingsShape = Type.Object({
  magic_values: Type.Boolean({ description: 'Whether the published magic values of v1 apply.' }),
  card_controls_in_test: Type.Boolean({
    description:
      'Whether the card test of v1 applies every control of the card. False: it does not apply categories, ATMs among them, and limits of an interval, as published.',
  }),
  lists_by_person: Type.Boolean({
    description: 'False: lists of v1 contain everything, even if `sd-person-id` names a person.',
  }),
  disclosure_required: Type.Boolean({
    description: 'True: a KYB of v1 is refused until the ownership disclosure of the business is signed.',
  }),
  shortfall: Type.Unsafe<Shortfall>({
    type: 'string',
    enum: ['refused', 'declined'],
    description:
      'What v2 does with a payment over the balance or a limit, or by a method that is switched off. Refused: 400, and nothing is created. Declined: 201 with a transaction in `declined`. Default: SANDBANK_SHORTFALL.',
  }),
  account_numbers: Type.Unsafe<'on' | 'off'>({
    type: 'string',
    enum: ['on', 'off'],
    description: 'Off: new accounts have neither an account number nor a routing number.',
  }),
});

/** The current switches. */
function formatSettings({ outcomes }: Pick<Bank, 'outcomes'>): Static<typeof SettingsShape> {
  const { magicValues, cardControlsInTest, accountNumbers, listsByPerson, disclosureRequired, shortfall } =
    outcomes.settings();
  return {
    magic_values: magicValues,
    card_controls_in_test: cardControlsInTest,
    lists_by_person: listsByPerson,
    disclosure_required: disclosureRequired,
    shortfall,
    account_numbers: accountNumbers ? 'on' : 'off',
  };
}

export const SETTING_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_settings',
    method: 'GET',
    path: '/_sandbox/settings',
    group: 'Rules',
    summary: 'Show the settings',
    description:
      "Shows the settings of the bank's behaviour, such as whether test amounts of v1 apply. They are stored with the bank.",
    answer: 'The settings.',
    status: 200,
    response: SettingsShape,
    run: ({ sandbox }) => formatSettings(sandbox.bank),
  }),

  controlOperation({
    id: 'sandbox_change_settings',
    method: 'PUT',
    path: '/_sandbox/settings',
    group: 'Rules',
    summary: 'Change the settings',
    description:
      "Changes settings of the bank's behaviour; a setting that is not sent keeps its value. They are stored with the bank.",
    answer: 'The settings after the change.',
    status: 200,
    body: Type.Partial(SettingsShape),
    response: SettingsShape,
    example: { body: { account_numbers: 'off' } },
    command: ({ sandbox }, { body }) => {
      const { magic_values: magicValues, card_controls_in_test: cardControlsInTest } = body;
      const { account_numbers: accountNumbers, lists_by_person: listsByPerson } = body;
      const { disclosure_required: disclosureRequired, shortfall } = body;
      sandbox.bank.outcomes.changeSettings({
        ...(magicValues !== undefined && { magicValues }),
        ...(cardControlsInTest !== undefined && { cardControlsInTest }),
        ...(listsByPerson !== undefined && { listsByPerson }),
        ...(disclosureRequired !== undefined && { disclosureRequired }),
        ...(shortfall !== undefined && { shortfall }),
        ...(accountNumbers !== undefined && { accountNumbers: accountNumbers === 'on' }),
      });
      return formatSettings(sandbox.bank);
    },
  }),
] as const;
