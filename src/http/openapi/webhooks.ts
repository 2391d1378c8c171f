/**
 * The events of an interface as OpenAPI 3.1 describes webhooks: every kind with its envelope, the record that it carries,
 * an example, and the headers that a receiver checks.
 */
import { type ApiVersion, eventShape, kindsOf } from '../../api/events.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import type { Json, Schemas } from './schemas.ts';

const HEADERS = [
  [
    'sd-webhook-sha256-signature',
    'HMAC-SHA256 of the raw body under the secret of the webhook, in hexadecimal.',
  ],
  ['webhook-id', 'The id of the event, the same at every attempt.'],
  ['webhook-timestamp', 'Seconds since 1970 at this attempt, in real time.'],
  ['webhook-signature', 'The signature of Standard Webhooks over id, timestamp and body.'],
] as const;

/** Every kind of event of a version, by its name. */
export function describeWebhooks(generation: ApiVersion, schemas: Schemas, registry: Registry): Json {
  const webhooks = Object.fromEntries(
    kindsOf(generation).map((kind) => {
      const content = {
        schema: schemas.write(eventShape(generation, kind)),
        example: registry.examples.event(generation, kind),
      };
      const post = {
        operationId: `event_${kind.replaceAll('.', '_')}`,
        summary: kind,
        tags: ['events'],
        parameters: HEADERS.map(([name, description]) => ({
          name,
          in: 'header',
          description,
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': { description: 'Taken. Anything else, and no answer within 10 seconds, is tried again.' },
          '410': { description: 'No longer wanted: the webhook is deactivated.' },
        },
      };
      return [kind, { post }];
    }),
  );
  return { webhooks };
}
