/** Rows of the register about the control plane: simulations, images and secrets. */
import { expect } from 'vitest';
import { useHttp } from '../../server/http/support.ts';
import {
  authorize,
  expectAnswer,
  figures,
  holdRows,
  originate,
  receive,
  simulate,
  testCard,
} from './checks.ts';

const http = useHttp();

holdRows(http, 'control', {
  'simulated-fields': [
    "So an authorization with a parent is 400 in both versions, as is `return_code` together with `reason`, `account_id` with a different `sub_account_id`, a sender's address without the BIC of its foreign bank, a reason for a card transaction, and `late` for a payment without a window.",
    async (caller) => {
      const held = (await authorize(caller)).id('transaction.id');
      const sent = (await originate(caller)).id();
      const rtp = (await receive(caller, 'rtp')).id('transaction.id');
      const refused = [
        await testCard(caller, { amount: '1.00', parentTxnId: held }),
        await caller.v2('POST', '/v2/simulate/incoming/card_issuing', {
          card_id: caller.seed('virtual_card_id'),
          amount: '1.00',
          type: 'auth',
          status: 'pending',
          parent_transaction_id: held,
        }),
        await simulate(caller, sent, 'return', { return_code: 'R03', reason: 'moved' }),
        await receive(caller, 'rtp', { account_id: caller.seed('other_account_id') }),
        await receive(caller, 'rtp', { sender: { name: 'Mill', address: { city: 'Salem' } } }),
        await simulate(caller, held, 'expire', { reason: 'late' }),
        await simulate(caller, rtp, 'return', { late: true }),
      ];
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
      const words = [
        'parentTxnId',
        'parent_transaction_id',
        'reason',
        'account_id',
        'sender.address',
        'reason',
        'late',
      ];
      expect(refused.map(({ text }, place) => text.includes(words[place] ?? '?'))).toEqual(
        words.map(() => true),
      );
      expectAnswer(await receive(caller, 'rtp', { account_id: caller.seed('account_id') }), 201);
    },
  ],
  'import-checks': [
    'Anything else is `image_invalid` with a message that names the problem, and changes nothing.',
    async (caller) => {
      const before = await figures(caller);
      const headers = { 'content-type': 'application/octet-stream' };
      for (const bytes of [Buffer.from('no image'), Buffer.alloc(4096)]) {
        const answer = await caller.v2('POST', '/_sandbox/import', bytes, headers);
        expectAnswer(answer, 400, { error: { code: 'image_invalid' } });
      }
      expect(await figures(caller)).toEqual(before);
    },
  ],
});
