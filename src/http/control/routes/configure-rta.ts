/**
 * Sets whom the sandbox asks before a card or another bank debits an account, and what stands in for silence.
 */
import type { RtaSettings } from '../../../bank/rta.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { controlOperation } from '../operation.ts';
import { RtaInput, RtaView, USUAL_TIMEOUT_MS, viewRta } from '../real-time.ts';

export const configureRta = controlOperation({
  id: 'sandbox_configure_rta',
  method: 'PUT',
  path: '/_sandbox/rta',
  group: 'Real-time authorization',
  summary: 'Set whom the sandbox asks in real time',
  status: 200,
  refuses: ['url_invalid'],
  body: RtaInput,
  response: RtaView,
  example: {
    body: { url: 'http://hooks.example/rta', stand_in: 'approve', timeout_ms: 2000, card: true, ach: true },
  },
  run: async ({ sandbox }, { body }) => {
    const protocol = URL.parse(body.url)?.protocol;
    if (protocol !== 'http:' && protocol !== 'https:') throw refuse('url_invalid', { field: 'url' });
    const { realTime } = sandbox.bank;
    try {
      return viewRta(
        await sandbox.commit(() => {
          const settings: RtaSettings = {
            url: body.url,
            // Setting it again changes what is named, not the key that a receiver has been given.
            secret: body.secret ?? realTime.settings()?.secret ?? realTime.drawSecret(),
            standIn: body.stand_in ?? 'decline',
            timeoutMs: body.timeout_ms ?? USUAL_TIMEOUT_MS,
            card: body.card ?? true,
            ach: body.ach ?? true,
          };
          realTime.change(settings);
          return settings;
        }),
      );
    } finally {
      realTime.forget();
    }
  },
});
