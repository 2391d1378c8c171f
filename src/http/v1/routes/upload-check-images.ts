/**
 * PATCH /v1/receive/check/{transferId}/files: the two sides of a check that is deposited, as the parts `front` and `back`
 * of a form. The deposit was waiting for them, and goes on.
 * Source: the clients of the platform's v1; row 198 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Transfer } from '../../../dialects/v1/shapes/transfer.ts';
import { viewTransfer } from '../../../dialects/v1/views/transfer.ts';
import { operation } from '../../operation.ts';
import { RECEIVE_CHECK } from '../transfer-rails.ts';

const IMAGES = ['image/png', 'image/jpeg', 'image/tiff'];
/** A picture of one point. */
const PICTURE = {
  contentType: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

export const uploadCheckImages = operation({
  id: 'uploadCheckImages',
  method: 'PATCH',
  path: '/v1/receive/check/:transferId/files',
  summary: 'Upload the images of a check',
  status: 200,
  refuses: ['illegal_step'],
  params: Type.Object({ transferId: Type.String() }),
  files: { front: IMAGES, back: IMAGES },
  response: Transfer,
  example: {
    params: ({ seed }) => ({ transferId: seed('receive_check_id') }),
    files: { front: PICTURE, back: PICTURE },
  },
  run({ bank, file }, { params }) {
    const { id } = bank.payments.ordered(readId('transfer', params.transferId), RECEIVE_CHECK.rails);
    const images = { front: file('front'), back: file('back') };
    return viewTransfer(bank.payments.depositImages(id, images), bank.program);
  },
});
