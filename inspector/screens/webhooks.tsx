/** The webhooks and how their deliveries stand; one of them with its events, examples, replay and chaos. */
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { client } from '../bank.ts';
import { Delivery } from '../delivery.tsx';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Id, Json, Show, Status, say, When } from '../parts.tsx';
import { isDeletionMeant } from '../safety.ts';
import { type Column, Table } from '../table.tsx';

export default function Webhooks({ id }: { id?: string }) {
  const loaded = useLive((bank) => bank.sandbox.listWebhooks());
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
        [receiver ? 'kept here' : to, description].filter(Boolean).join(' · '),
    },
    { title: 'Version', width: '4.5rem', cell: ({ dialect: of }) => of },
    { title: 'Kinds', width: '4rem', isWideOnly: true, cell: ({ events }) => String(events.length) },
    { title: 'Deliveries', width: '14rem', isWideOnly: true, cell: ({ deliveries }) => countsOf(deliveries) },
    { title: 'State', width: '8rem', cell: ({ status }) => <Status of={status} /> },
  ];
  return (
    <>
      <h1>Webhooks</h1>
      {rows.length === 0 ? (
        <Empty>
          There is no webhook. Make one that keeps what it gets, so that no program has to listen:
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
      <Box title="Make a webhook for all kinds of events">
        <div class="form">
          <Act label="Keep what it gets" kind="main" run={() => make({ receiver: true })} />
          <label class="wide">
            or send it to your receiver
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
          <Act label="Send" run={() => make({ url })} />
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
  const recent = useLive((bank) => bank.sandbox.listEvents({ query: { dialect, limit: '100' } }), [dialect]);
  const chaos = useLive((bank) => bank.sandbox.retrieveChaos({ params: { id } }), [id]);
  type Row = NonNullable<typeof recent.data>['events'][number];
  const { sandbox } = client.value;
  const columns: readonly Column<Row>[] = [
    { title: 'Time', width: '6rem', cell: ({ at }) => <When at={at} /> },
    { title: 'Event', width: 'minmax(0, 1fr)', cell: ({ type }) => type },
    { title: 'About', width: '10rem', isWideOnly: true, cell: ({ resource_id: of }) => <Id id={of} /> },
    { title: 'Deliveries', width: '11rem', cell: ({ deliveries: counts }) => countsOf(counts) },
  ];
  return (
    <>
      <h1>{webhook.receiver ? 'Kept here' : url}</h1>
      <p>
        <Id id={id} whole /> <Status of={status} /> {dialect} · {kinds.length} kinds · {countsOf(deliveries)}
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
      <Box title="Let something happen">
        <div class="form">
          <label>
            Kind
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
            label="Replay what it missed"
            run={async () => {
              const { queued } = await sandbox.replayEvents({ params: { id }, body: {} });
              say(`${queued} events are to be delivered`);
            }}
          />
          <Act
            label="Rotate its secret"
            run={async () => {
              await sandbox.rotateSecret({ params: { id }, body: {} });
              say('both secrets sign for 24 hours');
            }}
          />
          <Act
            label="Delete"
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
      <Box title="Chaos for its first attempts">
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
            label="Sign wrongly"
            run={() => sandbox.setChaos({ params: { id }, body: { bad_signature: {} } }).then(chaos.reload)}
          />
          <Act label="No chaos" run={() => sandbox.deleteChaos({ params: { id } }).then(chaos.reload)} />
        </div>
        {chaos.data !== undefined && <Json value={chaos.data} />}
      </Box>
      <Box title={`Last events of ${dialect}`}>
        <Show of={recent}>
          {({ events }) =>
            events.length === 0 ? (
              <Empty>Nothing has happened yet.</Empty>
            ) : (
              <Table
                label="Events"
                rows={events}
                columns={columns}
                keyOf={({ id: of }) => of}
                open={({ id: of }) => go(`/events/${of}`)}
              />
            )
          }
        </Show>
      </Box>
      <Box title="The webhook">
        <Json value={webhook} />
      </Box>
    </>
  );
}

const ANSWERS = [
  ['200', 'takes it'],
  ['503', 'is down'],
  ['500', 'fails'],
  ['429', 'is too busy'],
  ['410', 'is gone: deactivates the webhook'],
] as const;

/** What the built-in receiver got from a webhook, and what it answers. */
function Received({ id }: { id: string }) {
  const loaded = useLive(
    (bank) => bank.sandbox.retrieveReceiver({ query: { webhook_id: id, limit: '1000' } }),
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
          <Box title="What it got">
            <div class="form">
              <label>
                The receiver
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
                label="Let it answer so"
                run={() => answer({ status: Number(status), ...(times !== '' && { times: Number(times) }) })}
              />
              <Act label="Answer 200" run={() => answer({})} />
              <Act
                label="Empty"
                run={async () => {
                  await client.value.sandbox.clearReceiver();
                  loaded.reload();
                }}
              />
            </div>
            <p class="soft">
              It answers <Status of={answers.status} />
              {answers.times !== null && ` to the next ${answers.times}`}.
            </p>
            {deliveries.length === 0 ? (
              <Empty>Nothing yet. It appears here as soon as it is delivered.</Empty>
            ) : (
              <Table
                label="Deliveries"
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
