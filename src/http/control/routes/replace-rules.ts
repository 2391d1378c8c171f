/**
 * Says what becomes of payments that fit: the whole list at once, of which the first that fits decides. It is kept with
 * the bank, so a snapshot holds it, and asked for every payment that is made from now on.
 */
import { controlOperation } from '../operation.ts';
import { RulesShape, readRule, viewRule } from '../rules.ts';

export const replaceRules = controlOperation({
  id: 'sandbox_replace_rules',
  method: 'PUT',
  path: '/_sandbox/rules',
  group: 'Rules',
  summary: 'Replace the rules',
  status: 200,
  body: RulesShape,
  response: RulesShape,
  example: {
    body: {
      rules: [
        {
          match: { rail: 'ach_push', amount: { min: '500.00' } },
          outcome: { return_code: 'R03', after: 'P2D' },
        },
      ],
    },
  },
  run: async ({ sandbox }, { body }) => {
    const rules = body.rules.map(readRule);
    const { outcomes } = sandbox.bank;
    try {
      await sandbox.commit(() => outcomes.setRules(rules));
    } finally {
      outcomes.forget();
    }
    return { rules: rules.map(viewRule) };
  },
});
