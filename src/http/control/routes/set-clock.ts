/**
 * Sets the clock at once, forwards or back, and has it go with the real one, stand still, or go at another rate. Planned
 * steps that are due by then are taken before the answer; to live through the time between, advance it instead.
 */
import { Type } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import { readInstant } from '../../../sandboxes/targets.ts';
import { requireStill } from '../../../sandboxes/time-travel.ts';
import { controlOperation } from '../operation.ts';
import { ClockModeShape, ClockView, viewClock } from '../time-views.ts';

const SLOWEST = 0.001;
/** A day in a second. */
const FASTEST = 86_400;

export const setClock = controlOperation({
  id: 'sandbox_set_clock',
  method: 'PUT',
  path: '/_sandbox/clock',
  group: 'Clock',
  summary: 'Set the clock',
  status: 200,
  refuses: ['illegal_step'],
  body: Type.Object({
    mode: ClockModeShape,
    now: Type.Optional(
      Type.String({ description: 'ISO 8601 with a zone; where the clock stands unless sent.' }),
    ),
    rate: Type.Optional(
      Type.Number({
        minimum: SLOWEST,
        maximum: FASTEST,
        description: 'For `scaled`: seconds of the sandbox in a real second.',
      }),
    ),
  }),
  response: ClockView,
  example: { body: { mode: 'frozen' } },
  run: async ({ sandbox }, { body: { mode, now, rate } }) => {
    if (mode === 'scaled' && rate === undefined) {
      throw refuse('field_invalid', {
        field: 'rate',
        message: 'rate is required for scaled: the seconds of the sandbox in a real second, like 60',
      });
    }
    if (mode !== 'scaled' && rate !== undefined) {
      throw refuse('field_invalid', {
        field: 'rate',
        message: `rate is for scaled alone; leave it out for ${mode}`,
      });
    }
    const instant = now === undefined ? undefined : readInstant(now, 'now');
    requireStill(sandbox);
    await sandbox.setClock((clock) => clock.set(mode, instant, rate));
    await sandbox.agenda.runDue();
    return viewClock(sandbox);
  },
});
