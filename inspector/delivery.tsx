/** A delivery: the sent request, whether its signature is valid, and the response. */
import type { client } from './bank.ts';
import { Id, Json, Status, When } from './parts.tsx';

type Kept = Awaited<
  ReturnType<(typeof client)['value']['sandbox']['retrieveReceiver']>
>['deliveries'][number];

/** The response of a receiver: its headers and the beginning of its body. */
export function Response({
  of,
}: {
  of: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}) {
  if (of === null) return <p class="soft">No response.</p>;
  return (
    <div class="two">
      <div>
        <h4>Body of the response</h4>
        {of.body === '' ? <p class="soft">empty</p> : <pre class="text">{of.body}</pre>}
      </div>
      <div>
        <h4>Headers of the response</h4>
        <Json value={of.headers} />
      </div>
    </div>
  );
}

export function Delivery({ of }: { of: Kept }) {
  return (
    <section aria-label={`Delivery ${of.number}`} class="delivery">
      <h3>
        Delivery {of.number}: {of.type}
      </h3>
      <p>
        <When at={of.at} isLong /> <Id id={of.event_id} /> response <Status of={of.status} />
        {', '}
        {of.signature_problem === '' ? (
          <Status of="signature ok" />
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
