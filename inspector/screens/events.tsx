/** The log of events, and an event with its payload and every attempt to deliver it. */
import { useLocation } from 'wouter-preact';
import type { Client } from '../../src/kit/client/client.ts';
import { client } from '../bank.ts';
import { Delivery, Response } from '../delivery.tsx';
import { Filter } from '../fields.tsx';
import { useFilters } from '../filters.ts';
import { useLive } from '../live.ts';
import { Name, Sentence } from '../name.tsx';
import { usePages } from '../pages.ts';
import { Act, Box, counted, Empty, Id, Record, SHORT_TIME, Show, Status, say, When } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { type Moment, Timeline } from '../timeline.tsx';

export default function Events({ id }: { id?: string }) {
  return id === undefined ? <All /> : <One id={id} />;
}

const DELIVERY_STATES = ['waiting', 'delivered', 'exhausted', 'dropped'] as const;

type Row = Awaited<ReturnType<Client['sandbox']['listEvents']>>['events'][number];

function All() {
  const [, go] = useLocation();
  const [search] = useFilters();
  const apiVersion = search.get('api_version') === 'v1' ? 'v1' : 'v2';
  const kind = search.get('type')?.trim() ?? '';
  const { loaded, rows, more } = usePages(
    async (bank, { cursor, limit }) => {
      const { events, older } = await bank.sandbox.listEvents({
        query: {
          api_version: apiVersion,
          limit,
          bodies: 'false',
          ...(cursor !== '' && { before: cursor }),
          ...(kind !== '' && { type: kind }),
        },
      });
      return { rows: events, cursor: older, extra: {} };
    },
    keyOf,
    [apiVersion, kind],
    ['fact', 'attempt'],
  );
  const columns: readonly Column<Row>[] = [
    { ...SHORT_TIME, cell: ({ at }) => <When at={at} /> },
    { title: 'Event', width: 'minmax(0, 1fr)', cell: ({ type }) => type },
    { title: 'About', width: '10rem', isWideOnly: true, cell: ({ resource_id: of }) => <Id id={of} /> },
    {
      title: 'Deliveries',
      width: '12rem',
      isWideOnly: true,
      cell: ({ deliveries }) =>
        DELIVERY_STATES.filter((state) => deliveries[state] > 0)
          .map((state) => `${deliveries[state]} ${state}`)
          .join(', '),
    },
  ];
  return (
    <>
      <h1>Events</h1>
      <div class="form">
        <Filter name="api_version" label="Version" all={{ '': 'v2', v1: 'v1' }} />
        <Filter name="type" label="Type" placeholder="transaction.*" isLate />
      </div>
      <Show of={loaded}>
        {() => (
          <Table
            label="Events"
            rows={rows}
            columns={columns}
            empty={
              kind === ''
                ? `There is no event of ${apiVersion} yet. Every change of a record makes one.`
                : 'No event matches the filter.'
            }
            keyOf={keyOf}
            open={({ id }) => go(`/events/${id}`)}
            toEnd={() => void more()}
            isWhole
          />
        )}
      </Show>
    </>
  );
}

const keyOf = ({ id }: Row): string => id;

function One({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [event, { attempts, why, deliveries: waits }, delivery, { deliveries }] = await Promise.all([
        bank.sandbox.retrieveEvent({ params: { id } }),
        bank.sandbox.listEventAttempts({ params: { id } }),
        bank.sandbox.renderEvent({ params: { id } }),
        bank.sandbox.retrieveReceiver({ query: { event_id: id } }),
      ]);
      return { event, attempts, why, waits, delivery, deliveries };
    },
    [id],
    [id, 'webhook'],
  );
  return (
    <Show of={loaded}>
      {({ event, attempts, why, waits, delivery, deliveries }) => (
        <>
          <h1>{event.type}</h1>
          <p>
            <Id id={id} whole /> <When at={event.at} isLong /> {event.api_version}, about{' '}
            <Id id={event.resource_id} />
          </p>
          <Waits why={why} all={waits} />
          <Box
            title="Attempts"
            aside={
              <Act
                label="Resend"
                run={async () => {
                  const { deliveries: queued } = await client.value.sandbox.resendEvent({
                    params: { id },
                    body: {},
                  });
                  say(`${counted(queued.length, 'delivery is', 'deliveries are')} queued`);
                }}
              />
            }
          >
            {attempts.length === 0 ? <Empty>No delivery was attempted.</Empty> : <Attempts of={attempts} />}
          </Box>
          {deliveries.length > 0 && (
            <Box title="As the built-in receiver received it">
              {deliveries.map((one) => (
                <Delivery key={one.number} of={one} />
              ))}
            </Box>
          )}
          <Record title="Data" value={event.data} />
          <Record title="Delivery with a current signature" value={delivery} />
        </>
      )}
    </Show>
  );
}

type Answer = Awaited<ReturnType<(typeof client)['value']['sandbox']['listEventAttempts']>>;

/** Whether the event has arrived or why not: for the event, and for each webhook. */
function Waits({ why, all }: { why: Answer['why']; all: Answer['deliveries'] }) {
  return (
    <Box title="Delivery">
      <p>
        <Status of={why.reason} /> <Sentence text={why.message} />
      </p>
      {(all.length > 1 || all.some((one) => one.why.reason !== why.reason)) && (
        <ul class="plain-list">
          {all.map((one) => (
            <li key={`${one.delivery} ${one.why.webhook_id}`}>
              <Name id={one.why.webhook_id} /> <Status of={one.state} /> <Sentence text={one.why.message} />
            </li>
          ))}
        </ul>
      )}
      {(why.until !== '' || why.event_id !== '' || why.webhook_id !== '') && (
        <p class="soft">
          {why.until !== '' && (
            <>
              until <When at={why.until} isLong />{' '}
            </>
          )}
          {why.event_id !== '' && (
            <>
              behind <Id id={why.event_id} />{' '}
            </>
          )}
          {why.webhook_id !== '' && (
            <>
              webhook <Name id={why.webhook_id} />
            </>
          )}
        </p>
      )}
    </Box>
  );
}

type Attempt = Awaited<
  ReturnType<(typeof client)['value']['sandbox']['listEventAttempts']>
>['attempts'][number];

/** Every attempt for each webhook on a timeline, with the next scheduled one. */
function Attempts({ of }: { of: readonly Attempt[] }) {
  const webhooks = [...new Set(of.map(({ webhook_id: to }) => to))];
  return (
    <>
      {webhooks.map((webhook) => {
        const own = of.filter(({ webhook_id: to }) => to === webhook);
        const made = own.map(
          ({ at, number, status, duration_ms: ms, error, answer }): Moment => ({
            at,
            kind: status !== null && status >= 200 && status < 300 ? 'good' : 'bad',
            title: `attempt ${number}`,
            detail: (
              <>
                <Status of={status} /> {ms} ms {error !== '' && <span class="soft">{error}</span>}
                {answer !== null && (
                  <details>
                    <summary class="soft">response</summary>
                    <Response of={answer} />
                  </details>
                )}
              </>
            ),
          }),
        );
        const next = own.toSorted((left, right) => right.number - left.number)[0]?.next_due_at ?? '';
        const planned: Moment[] =
          next === '' ? [] : [{ at: next, kind: 'waiting', title: 'next attempt is due' }];
        return (
          <section key={webhook}>
            <h3>
              To <Name id={webhook} />
            </h3>
            <Timeline
              moments={[...made, ...planned]}
              label={`${made.length} attempts${next === '' ? '' : '; the next is scheduled'}`}
            />
          </section>
        );
      })}
    </>
  );
}
