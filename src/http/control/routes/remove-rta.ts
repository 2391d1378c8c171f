/**
 * From now on nobody is asked in real time.
 */
import { controlOperation } from '../operation.ts';

export const removeRta = controlOperation({
  id: 'sandbox_remove_rta',
  method: 'DELETE',
  path: '/_sandbox/rta',
  group: 'Real-time authorization',
  summary: 'Ask nobody in real time',
  status: 204,
  run: async ({ sandbox }) => {
    const { realTime } = sandbox.bank;
    try {
      await sandbox.commit(() => realTime.change(null));
    } finally {
      realTime.forget();
    }
  },
});
