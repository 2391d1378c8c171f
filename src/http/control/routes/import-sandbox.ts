/**
 * Goes on with a bank that was exported: the body is the database itself. It is believed nothing and looked at first, so
 * an image that is damaged, not ours, newer than we know, or whose books are wrong changes nothing.
 */
import { refuse } from '../../../kernel/refusal.ts';
import { takeImage } from '../../../sandboxes/intake.ts';
import { controlOperation } from '../operation.ts';
import { StateView, viewState } from '../state.ts';
import { IMAGE_TYPE } from '../transfers.ts';

export const importSandbox = controlOperation({
  id: 'sandbox_import',
  method: 'POST',
  path: '/_sandbox/import',
  group: 'State',
  summary: 'Go on with a bank that was exported; the body is its SQLite database',
  status: 200,
  refuses: ['image_invalid', 'body_too_large'],
  bodyType: IMAGE_TYPE,
  response: StateView,
  run: async ({ registry, sandbox }, { body }) => {
    const bytes: unknown = body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
      throw refuse('image_invalid', {
        message: 'send the database itself as the body: curl --data-binary @bank.sqlite',
      });
    }
    await registry.exchange(sandbox, await takeImage(registry.founder, bytes));
    return viewState(sandbox);
  },
});
