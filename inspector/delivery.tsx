/** One delivery as its receiver got it: what was sent, whether a receiver would trust it, and what was answered. */
import type { client } from './bank.ts';
import { Id, Json, Status, When } from './parts.tsx';

type Kept = Awaited<
  ReturnType<(typeof client)['value']['sandbox']['retrieveReceiver']>
>['deliveries'][number];

export function Delivery({ of }: { of: Kept }) {
  return (
    <section aria-label={`Delivery ${of.number}`} class="delivery">
      <h3>
        Delivery {of.number}: {of.type}
      </h3>
      <p>
        <When at={of.at} isLong /> <Id id={of.event_id} /> answered with <Status of={of.status} />
        {', '}
        {of.signature_problem === '' ? (
          <Status of="rightly signed" />
        ) : (
          <span class="status bad">
            <span aria-hidden="true">✕</span> {of.signature_problem}
          </span>
        )}
      </p>
      <div class="two">
        <div>
          <h4>Headers</h4>
          <Json value={of.headers} />
        </div>
        <div>
          <h4>Body</h4>
          <Json value={of.body} />
        </div>
      </div>
    </section>
  );
}
