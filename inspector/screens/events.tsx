/** An event: what it carried, and every attempt to deliver it. */
import { client } from '../bank.ts';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Id, Json, Show, Status, say, When } from '../parts.tsx';

export default function Events({ id }: { id?: string }) {
  if (id === undefined) return <Empty>Open an event from the Now screen.</Empty>;
  return <One id={id} />;
}

function One({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [event, { attempts }, delivery] = await Promise.all([
        bank.sandbox.retrieveEvent({ params: { id } }),
        bank.sandbox.listEventAttempts({ params: { id } }),
        bank.sandbox.renderEvent({ params: { id } }),
      ]);
      return { event, attempts, delivery };
    },
    [id],
  );
  return (
    <Show of={loaded}>
      {({ event, attempts, delivery }) => (
        <>
          <h1>{event.type}</h1>
          <p>
            <Id id={id} whole /> <When at={event.at} isLong /> {event.dialect}, about{' '}
            <Id id={event.resource_id} />
          </p>
          <Box
            title="Attempts to deliver it"
            aside={
              <Act
                label="Send it once more"
                run={async () => {
                  const { deliveries } = await client.value.sandbox.resendEvent({ params: { id }, body: {} });
                  say(`${deliveries.length} deliveries are queued`);
                }}
              />
            }
          >
            {attempts.length === 0 ? (
              <Empty>There was none: no active webhook is subscribed to this kind.</Empty>
            ) : (
              <ol class="plain-list">
                {attempts.map(
                  ({
                    at,
                    webhook_id: to,
                    delivery: of,
                    number,
                    status,
                    error,
                    duration_ms: ms,
                    next_due_at: next,
                  }) => (
                    <li key={`${of} ${number}`}>
                      <When at={at} isLong /> attempt {number} to <Id id={to} /> <Status of={status} /> {ms}{' '}
                      ms {error !== '' && <span class="soft">{error}</span>}
                      {next !== '' && (
                        <span>
                          {' '}
                          again at <When at={next} isLong />
                        </span>
                      )}
                    </li>
                  ),
                )}
              </ol>
            )}
          </Box>
          <Box title="The record that it carries">
            <Json value={event.data} />
          </Box>
          <Box title="As it is delivered, signed now">
            <Json value={delivery} />
          </Box>
        </>
      )}
    </Show>
  );
}
