/** The webhooks and how their deliveries stand; one of them with its events, examples, replay and chaos. */
import { useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { client } from '../bank.ts';
import { Delivery, Response } from '../delivery.tsx';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Id, Json, Record, Show, Status, say, When } from '../parts.tsx';
import { isDeletionMeant } from '../safety.ts';
import { type Column, Table } from '../table.tsx';

export default function Webhooks({ id }: { id?: string }) {
  const loaded = useLive((bank) => bank.sandbox.listWebhooks(), [], ['webhook', 'attempt']);
  return (
    <Show of={loaded}>
      {({ webhooks }) => {
        if (id === undefined) return <All rows={webhooks} />;
        const webhook = webhooks.find((one) => one.id === id);
        return webhook === undefined ? (
          <Empty>There is no such webhook; it may have been deleted.</Empty>
        ) : (
          <One webhook={webhook} />
        );
      }}
    </Show>
  );
}

type Webhook = Awaited<ReturnType<(typeof client)['value']['sandbox']['listWebhooks']>>['webhooks'][number];

/** Not active, failing for a while, or with deliveries that were given up. */
function stateOf({ status, failing_since: since, deliveries }: Webhook): string {
  if (status !== 'active') return status;
  if (since !== '') return 'failing';
  return deliveries.exhausted + deliveries.dropped > 0 ? 'has lost events' : status;
}

function countsOf(counts: Webhook['deliveries']): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([state, count]) => `${count} ${state}`).join(', ') || 'none yet';
}

function All({ rows }: { rows: readonly Webhook[] }) {
  const [, go] = useLocation();
  const [url, setUrl] = useState('http://127.0.0.1:3000/webhooks');
  const [dialect, setDialect] = useState<'v1' | 'v2'>('v2');
  const make = async (where: { url: string } | { receiver: true }): Promise<void> => {
    const made = await client.value.sandbox.createWebhook({ body: { ...where, dialect, events: ['*'] } });
    go(`/webhooks/${made.id}`);
  };
  const columns: readonly Column<Webhook>[] = [
    {
      title: 'Address',
      width: 'minmax(0, 1fr)',
      cell: ({ url: to, description, receiver }) =>
        [receiver ? 'built-in receiver' : to, description].filter(Boolean).join(' · '),
    },
    { title: 'Version', width: '4.5rem', cell: ({ dialect: of }) => of },
    { title: 'Events', width: '4rem', isWideOnly: true, cell: ({ events }) => String(events.length) },
    { title: 'Deliveries', width: '14rem', isWideOnly: true, cell: ({ deliveries }) => countsOf(deliveries) },
    { title: 'State', width: '9rem', cell: (webhook) => <Status of={stateOf(webhook)} /> },
  ];
  return (
    <>
      <h1>Webhooks</h1>
      {rows.length === 0 ? (
        <Empty>
          There is no webhook. The built-in receiver keeps what it receives, so no program has to listen:
        </Empty>
      ) : (
        <Table
          label="Webhooks"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          open={({ id }) => go(`/webhooks/${id}`)}
        />
      )}
      <Box title="Create a webhook for all events">
        <div class="form">
          <Act label="Use the built-in receiver" kind="main" run={() => make({ receiver: true })} />
          <label class="wide">
            or the address of your receiver
            <input type="url" value={url} onInput={({ currentTarget }) => setUrl(currentTarget.value)} />
          </label>
          <label>
            Version
            <select
              value={dialect}
              onChange={({ currentTarget }) => setDialect(currentTarget.value as 'v1' | 'v2')}
            >
              <option>v2</option>
              <option>v1</option>
            </select>
          </label>
          <Act label="Create" run={() => make({ url })} />
        </div>
      </Box>
    </>
  );
}

function One({ webhook }: { webhook: Webhook }) {
  const { id, url, dialect, events: kinds, deliveries, status, failing_since: failing } = webhook;
  const { last_dropped_at: droppedAt } = webhook;
  const [, go] = useLocation();
  const [kind, setKind] = useState(kinds[0] ?? '');
  const [answer, setAnswer] = useState<unknown>();
  const chaos = useLive((bank) => bank.sandbox.retrieveChaos({ params: { id } }), [id], ['webhook']);
  const { sandbox } = client.value;
  return (
    <>
      <h1>{webhook.receiver ? 'Built-in receiver' : url}</h1>
      <p>
        <Id id={id} whole /> <Status of={stateOf(webhook)} /> {dialect} · {kinds.length} events ·{' '}
        {countsOf(deliveries)}
      </p>
      {failing !== '' && (
        <p class="notice">
          No delivery has succeeded since <When at={failing} isLong />. After five days it is deactivated.
        </p>
      )}
      {droppedAt !== '' && (
        <p class="notice">
          {deliveries.dropped} deliveries were dropped, the last at <When at={droppedAt} isLong />. A replay
          sends their events again.
        </p>
      )}
      <Deliveries id={id} isActive={status === 'active'} />
      <Box title="Send and replay">
        <div class="form">
          <label>
            Event
            <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
              {kinds.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <Act
            label="Send an example"
            kind="main"
            run={async () => setAnswer(await sandbox.sendExample({ params: { id }, body: { type: kind } }))}
          />
          <Act
            label="Replay missed events"
            run={async () => {
              const { queued } = await sandbox.replayEvents({ params: { id }, body: {} });
              say(`${queued} events are queued for delivery`);
            }}
          />
          <Act
            label="Rotate the secret"
            run={async () => {
              await sandbox.rotateSecret({ params: { id }, body: {} });
              say('Both secrets sign for 24 hours.');
            }}
          />
          <Act
            label="Delete"
            kind="danger"
            run={async () => {
              if (!(await isDeletionMeant(`the webhook to ${url}`))) return;
              await sandbox.deleteWebhook({ params: { id } });
              go('/webhooks');
            }}
          />
        </div>
        {answer !== undefined && <Json value={answer} />}
      </Box>
      {webhook.receiver && <Received id={id} />}
      <Box title="Delivery chaos (first attempts)">
        <div class="form">
          <Act
            label="Send each twice"
            run={() => sandbox.setChaos({ params: { id }, body: { duplicate: {} } }).then(chaos.reload)}
          />
          <Act
            label="Drop every second"
            run={() => sandbox.setChaos({ params: { id }, body: { drop: { every: 2 } } }).then(chaos.reload)}
          />
          <Act
            label="Sign with a wrong secret"
            run={() => sandbox.setChaos({ params: { id }, body: { bad_signature: {} } }).then(chaos.reload)}
          />
          <Act label="End the chaos" run={() => sandbox.deleteChaos({ params: { id } }).then(chaos.reload)} />
        </div>
        {chaos.data !== undefined && <Json value={chaos.data} />}
      </Box>
      <Record title="Record" value={webhook} />
    </>
  );
}

/** The attempts to deliver to this webhook, with what its receiver answered and why it waits. */
function Deliveries({ id, isActive }: { id: string; isActive: boolean }) {
  const [search, setSearch] = useSearchParams();
  const outcome = search.get('outcome') === 'failed' ? 'failed' : '';
  const loaded = useLive(
    (bank) =>
      bank.sandbox.listWebhookAttempts({
        params: { id },
        query: { limit: '100', ...(outcome !== '' && { outcome }) },
      }),
    [id, outcome],
    [id],
  );
  type Row = NonNullable<typeof loaded.data>['attempts'][number];
  const [older, setOlder] = useState<{ of: string; rows: readonly Row[]; cursor: string }>();
  const [open, setOpen] = useState('');
  const place = `${id} ${outcome}`;
  const rows = [...(loaded.data?.attempts ?? []), ...(older?.of === place ? older.rows : [])];
  const cursor = older?.of === place ? older.cursor : (loaded.data?.cursor ?? '');
  const keyOf = ({ delivery, number }: Row): string => `${delivery}.${number}`;
  const more = async (): Promise<void> => {
    const page = await client.value.sandbox.listWebhookAttempts({
      params: { id },
      query: { limit: '100', cursor, ...(outcome !== '' && { outcome }) },
    });
    setOlder({
      of: place,
      rows: [...(older?.of === place ? older.rows : []), ...page.attempts],
      cursor: page.cursor,
    });
  };
  const columns: readonly Column<Row>[] = [
    { title: 'Time', width: '6rem', cell: ({ at }) => <When at={at} /> },
    { title: 'Event', width: 'minmax(0, 1fr)', cell: ({ type }) => type },
    { title: 'Attempt', width: '5rem', isWideOnly: true, cell: ({ number }) => String(number) },
    {
      title: 'ms',
      width: '4rem',
      isMoney: true,
      isWideOnly: true,
      cell: ({ duration_ms: ms }) => String(ms),
    },
    {
      title: 'Next attempt',
      width: '10.5rem',
      isWideOnly: true,
      cell: ({ next_due_at: at }) => <When at={at} isLong />,
    },
    { title: 'Response', width: '7.5rem', cell: ({ status }) => <Status of={status} /> },
  ];
  const shown = rows.find((row) => keyOf(row) === open);
  return (
    <Box
      title="Deliveries"
      aside={
        <span class="filters">
          <label>
            <span class="hidden">Outcome</span>
            <select
              value={outcome}
              onChange={({ currentTarget: { value } }) =>
                setSearch(value === '' ? new URLSearchParams() : new URLSearchParams({ outcome: value }))
              }
            >
              <option value="">all attempts</option>
              <option value="failed">failed only</option>
            </select>
          </label>
          <Act
            label="Resend all failed"
            isOff={!isActive}
            reason="the webhook is not active"
            run={async () => {
              const { queued, retried } = await client.value.sandbox.resendFailed({ params: { id } });
              say(`${queued} deliveries are queued again, ${retried} retries are due now`);
            }}
          />
        </span>
      }
    >
      <Show of={loaded}>
        {() =>
          rows.length === 0 ? (
            <Empty>
              {outcome === '' ? 'Nothing was delivered to this webhook yet.' : 'No attempt has failed.'}
            </Empty>
          ) : (
            <>
              <Table
                label="Deliveries"
                rows={rows}
                columns={columns}
                keyOf={keyOf}
                open={(row) => setOpen(keyOf(row) === open ? '' : keyOf(row))}
              />
              {cursor !== '' && <Act label="Load older" run={more} />}
            </>
          )
        }
      </Show>
      {shown !== undefined && (
        <section aria-label={`Attempt ${shown.number} of ${shown.type}`}>
          <h3>
            {shown.type} <Id id={shown.event_id} />
          </h3>
          <p>
            <Status of={shown.status} /> {shown.error} <span class="soft">{shown.state}</span>{' '}
            <Act
              label="Resend"
              isOff={!isActive}
              reason="the webhook is not active"
              run={async () => {
                await client.value.sandbox.resendEvent({
                  params: { id: shown.event_id },
                  body: { webhook_id: id },
                });
                say('The event is queued once more.');
              }}
            />
          </p>
          <Response of={shown.answer} />
        </section>
      )}
    </Box>
  );
}

const ANSWERS = [
  ['200', 'accepted'],
  ['503', 'unavailable'],
  ['500', 'error'],
  ['429', 'too many requests'],
  ['410', 'gone: deactivates the webhook'],
] as const;

/** What the built-in receiver received from a webhook, and what it responds. */
function Received({ id }: { id: string }) {
  const loaded = useLive(
    (bank) => bank.sandbox.retrieveReceiver({ query: { webhook_id: id, limit: '200' } }),
    [id],
    [id],
  );
  const [status, setStatus] = useState('503');
  const [times, setTimes] = useState('2');
  const [open, setOpen] = useState<number>();
  type Row = NonNullable<typeof loaded.data>['deliveries'][number];
  const columns: readonly Column<Row>[] = [
    { title: 'Time', width: '6rem', cell: ({ at }) => <When at={at} /> },
    { title: 'Event', width: 'minmax(0, 1fr)', cell: ({ type }) => type },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ event_id: of }) => <Id id={of} /> },
    {
      title: 'Signature',
      width: '7rem',
      isWideOnly: true,
      cell: ({ signature_problem: problem }) => <Status of={problem === '' ? 'ok' : 'failed'} />,
    },
    { title: 'Answer', width: '6rem', cell: ({ status: of }) => <Status of={of} /> },
  ];
  const answer = async (body: { status?: number; times?: number }): Promise<void> => {
    await client.value.sandbox.setReceiver({ body });
    loaded.reload();
  };
  return (
    <Show of={loaded}>
      {({ answers, deliveries }) => {
        const shown = deliveries.find(({ number }) => number === open);
        return (
          <Box title="Received">
            <div class="form">
              <label>
                Response
                <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
                  {ANSWERS.map(([code, says]) => (
                    <option value={code} key={code}>
                      {code}: {says}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                Times (empty: always)
                <input
                  inputMode="numeric"
                  value={times}
                  onInput={({ currentTarget }) => setTimes(currentTarget.value)}
                />
              </label>
              <Act
                label="Set the response"
                run={() => answer({ status: Number(status), ...(times !== '' && { times: Number(times) }) })}
              />
              <Act label="Respond with 200" run={() => answer({})} />
              <Act
                label="Clear"
                run={async () => {
                  await client.value.sandbox.clearReceiver();
                  loaded.reload();
                }}
              />
            </div>
            <p class="soft">
              It responds with <Status of={answers.status} />
              {answers.times !== null && ` to the next ${answers.times}`}.
            </p>
            {deliveries.length === 0 ? (
              <Empty>Nothing yet. It appears here as soon as it is delivered.</Empty>
            ) : (
              <Table
                label="Received"
                rows={deliveries}
                columns={columns}
                keyOf={({ number }) => String(number)}
                open={({ number }) => setOpen(number === open ? undefined : number)}
              />
            )}
            {shown !== undefined && <Delivery of={shown} />}
          </Box>
        );
      }}
    </Show>
  );
}
