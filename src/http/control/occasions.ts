/**
 * Which of the occasions that fit something happens on: the same four numbers for faults and for the chaos of deliveries.
 */
import { Type } from '@sinclair/typebox';

const MOST = 1_000_000_000;
const Count = (description: string) => Type.Integer({ minimum: 1, maximum: MOST, description });

export const OccasionsInput = {
  times: Type.Optional(Count('How often at most; without end when not sent.')),
  every: Type.Optional(Count('Each so many-th alone, like 3 for every third.')),
  skip_first: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST, description: 'How many are let pass first.' }),
  ),
  probability: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'From 0 for never to 1 for always.' }),
  ),
};
