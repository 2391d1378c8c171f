/**
 * The rules of the sandbox, in the order in which they are asked.
 */
import { controlOperation } from '../operation.ts';
import { RulesShape, viewRule } from '../rules.ts';

export const retrieveRules = controlOperation({
  id: 'sandbox_retrieve_rules',
  method: 'GET',
  path: '/_sandbox/rules',
  group: 'Rules',
  summary: 'Show the rules',
  status: 200,
  response: RulesShape,
  run: ({ sandbox }) => ({ rules: sandbox.bank.outcomes.rules().map(viewRule) }),
});
