/** The webhooks with the state of their deliveries, and a webhook with its events, examples, replay and chaos. */
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Client } from '../../src/kit/client/client.ts';
import { client } from '../bank.ts';
import { Delivery, Response } from '../delivery.tsx';
import { ChoiceField, Filter, TextField } from '../fields.tsx';
import { useFilters } from '../filters.ts';
import { useLive } from '../live.ts';
import { usePages } from '../pages.ts';
import {
  Act,
  Box,
  counted,
  Empty,
  Id,
  Json,
  Record,
  SHORT_TIME,
  Show,
  Status,
  say,
  When,
} from '../parts.tsx';
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

/** The state of a webhook: not active, failing, or with exhausted or dropped deliveries. */
function stateOf({ status, failing_since: since, deliveries }: Webhook): string {
  if (status !== 'active') return status;
  if (since !== '') return 'failing';
  return deliveries.exhausted + deliveries.dropped > 0 ? 'events lost' : status;
}

function countsOf(counts: Webhook['deliveries']): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([state, count]) => `${count} ${state}`).join(', ') || 'none yet';
}

function All({ rows }: { rows: readonly Webhook[] }) {
  const [, go] = useLocation();
  const [url, setUrl] = useState('http://127.0.0.1:3000/webhooks');
  const [apiVersion, setApiVersion] = useState<'v1' | 'v2'>('v2');
  const make = async (where: { url: string } | { receiver: true }): Promise<void> => {
    const made = await client.value.sandbox.createWebhook({
      body: { ...where, api_version: apiVersion, events: ['*'] },
    });
    go(`/webhooks/${made.id}`);
  };
  const columns: readonly Column<Webhook>[] = [
    {
      title: 'Address',
      width: 'minmax(0, 1fr)',
      cell: ({ url: to, description, receiver }) =>
        [receiver ? 'built-in receiver' : to, description].filter(Boolean).join(' · '),
    },
    { title: 'Version', width: '4.5rem', isWideOnly: true, cell: ({ api_version: of }) => of },
    { title: 'Events', width: '4rem', isWideOnly: true, cell: ({ events }) => String(events.length) },
    { title: 'Deliveries', width: '14rem', isWideOnly: true, cell: ({ deliveries }) => countsOf(deliveries) },
    { title: 'State', width: '9rem', narrow: '7.5rem', cell: (webhook) => <Status of={stateOf(webhook)} /> },
  ];
  return (
    <>
      <h1>Webhooks</h1>
      <Table
        label="Webhooks"
        rows={rows}
        columns={columns}
        empty="There is no webhook. The built-in receiver stores its deliveries, so you need no receiver of your own:"
        keyOf={({ id }) => id}
        open={({ id }) => go(`/webhooks/${id}`)}
      />
      <Box title="Create a webhook for all events">
        <div class="form">
          <Act label="Use the built-in receiver" kind="main" run={() => make({ receiver: true })} />
          <TextField label="or the address of your receiver" isWide type="url" value={url} set={setUrl} />
          <ChoiceField label="Version" value={apiVersion} set={setApiVersion} all={['v2', 'v1']} />
          <Act label="Create" run={() => make({ url })} />
        </div>
      </Box>
    </>
  );
}

function One({ webhook }: { webhook: Webhook }) {
  const {
    id,
    url,
    api_version: apiVersion,
    events: kinds,
    deliveries,
    status,
    failing_since: failing,
  } = webhook;
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
        <Id id={id} whole /> <Status of={stateOf(webhook)} /> {apiVersion} · {counted(kinds.length, 'event')}{' '}
        · {countsOf(deliveries)}
      </p>
      {failing !== '' && (
        <p class="notice">
          No delivery has succeeded since <When at={failing} isLong />. The webhook is deactivated when all
          attempts of an event have failed and five days of the sandbox's clock have passed since then. Its
          pending deliveries are then dropped. A response of 410 deactivates it at once. You can activate it
          again, and a replay sends the missed events.
        </p>
      )}
      {droppedAt !== '' && (
        <p class="notice">
          {counted(deliveries.dropped, 'delivery was', 'deliveries were')} dropped, the last at{' '}
          <When at={droppedAt} isLong />. A replay sends their events again.
        </p>
      )}
      <Deliveries id={id} isActive={status === 'active'} />
      <Box title="Send and replay">
        <div class="form">
          <ChoiceField
            label="Event"
            value={kind}
            set={setKind}
            all={kinds.map((one) => [one, one] as const)}
          />
          <Act
            label="Send an example"
            kind="main"
            run={async () => setAnswer(await sandbox.sendExample({ params: { id }, body: { type: kind } }))}
          />
          <Act
            label="Replay missed events"
            run={async () => {
              const { queued } = await sandbox.replayEvents({ params: { id }, body: {} });
              say(`${counted(queued, 'event is', 'events are')} queued for delivery`);
            }}
          />
          <Act
            label="Rotate the secret"
            run={async () => {
              await sandbox.rotateSecret({ params: { id }, body: {} });
              say('Deliveries are signed with both secrets for 24 hours.');
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
            label="Send every delivery twice"
            run={() => sandbox.setChaos({ params: { id }, body: { duplicate: {} } }).then(chaos.reload)}
          />
          <Act
            label="Drop every second delivery"
            run={() => sandbox.setChaos({ params: { id }, body: { drop: { every: 2 } } }).then(chaos.reload)}
          />
          <Act
            label="Sign with a wrong secret"
            run={() => sandbox.setChaos({ params: { id }, body: { bad_signature: {} } }).then(chaos.reload)}
          />
          <Act label="End chaos" run={() => sandbox.deleteChaos({ params: { id } }).then(chaos.reload)} />
        </div>
        {chaos.data !== undefined && <Json value={chaos.data} />}
      </Box>
      <Record title="Record" value={webhook} />
    </>
  );
}

type Attempt = Awaited<ReturnType<Client['sandbox']['listWebhookAttempts']>>['attempts'][number];

const attemptKey = ({ delivery, number }: Attempt): string => `${delivery}.${number}`;

/** Loads the receiver's response to an attempt, which the list does not contain. */
function AnswerTo({ attempt: { event_id: id, delivery, number } }: { attempt: Attempt }) {
  const loaded = useLive((bank) => bank.sandbox.listEventAttempts({ params: { id } }), [id], [id]);
  return (
    <Show of={loaded}>
      {({ attempts }) => (
        <Response
          of={attempts.find((one) => one.delivery === delivery && one.number === number)?.answer ?? null}
        />
      )}
    </Show>
  );
}

/** The delivery attempts of this webhook, with the responses and the reasons for waiting. */
function Deliveries({ id, isActive }: { id: string; isActive: boolean }) {
  const [search] = useFilters();
  const outcome = search.get('outcome') === 'failed' ? 'failed' : '';
  const { loaded, rows, more } = usePages(
    async (bank, { cursor, limit }) => {
      const page = await bank.sandbox.listWebhookAttempts({
        params: { id },
        query: {
          limit,
          bodies: 'false',
          ...(cursor !== '' && { cursor }),
          ...(outcome !== '' && { outcome }),
        },
      });
      return { rows: page.attempts, cursor: page.cursor, extra: {} };
    },
    attemptKey,
    [id, outcome],
    [id],
  );
  const [open, setOpen] = useState('');
  const columns: readonly Column<Attempt>[] = [
    { ...SHORT_TIME, cell: ({ at }) => <When at={at} /> },
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
      width: SHORT_TIME.width,
      isWideOnly: true,
      cell: ({ next_due_at: at }) => <When at={at} />,
    },
    { title: 'Response', width: '8rem', narrow: '7rem', cell: ({ status }) => <Status of={status} /> },
  ];
  const shown = rows.find((row) => attemptKey(row) === open);
  return (
    <Box
      title="Deliveries"
      aside={
        <span class="filters">
          <Filter
            name="outcome"
            label="Outcome"
            isLabelHidden
            all={{ '': 'all attempts', failed: 'failed only' }}
          />
          <Act
            label="Resend all failed"
            isOff={!isActive}
            reason="the webhook is not active"
            run={async () => {
              const { queued, retried } = await client.value.sandbox.resendFailed({ params: { id } });
              say(
                `${counted(queued, 'delivery is', 'deliveries are')} queued again, ${counted(retried, 'retry is', 'retries are')} due now`,
              );
            }}
          />
        </span>
      }
    >
      <Show of={loaded}>
        {() => (
          <Table
            label="Deliveries"
            rows={rows}
            columns={columns}
            empty={
              outcome === '' ? 'No delivery to this webhook was attempted yet.' : 'No attempt has failed.'
            }
            keyOf={attemptKey}
            open={(row) => setOpen(attemptKey(row) === open ? '' : attemptKey(row))}
            isBrief
            toEnd={() => void more()}
          />
        )}
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
                say('The event was queued again.');
              }}
            />
          </p>
          <AnswerTo attempt={shown} />
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

type Kept = Awaited<ReturnType<Client['sandbox']['retrieveReceiver']>>['deliveries'][number];

const receivedKey = ({ number }: Kept): string => String(number);

/** Loads a delivery with its headers and body, which the list does not contain. */
function ReceivedDelivery({ number }: { number: number }) {
  const loaded = useLive(
    (bank) => bank.sandbox.retrieveReceiver({ query: { number: String(number) } }),
    [number],
    null,
  );
  return (
    <Show of={loaded}>
      {({ deliveries: [one] }) =>
        one === undefined ? <Empty>This delivery is no longer stored.</Empty> : <Delivery of={one} />
      }
    </Show>
  );
}

/** The deliveries of a webhook to the built-in receiver, and its responses. */
function Received({ id }: { id: string }) {
  const { loaded, rows, more } = usePages(
    async (bank, { cursor, limit }) => {
      const { deliveries, answers, ...page } = await bank.sandbox.retrieveReceiver({
        query: { webhook_id: id, limit, bodies: 'false', ...(cursor !== '' && { cursor }) },
      });
      return { rows: deliveries, cursor: page.cursor, extra: { answers } };
    },
    receivedKey,
    [id],
    [id],
  );
  const [status, setStatus] = useState('503');
  const [times, setTimes] = useState('2');
  const [open, setOpen] = useState<number>();
  const columns: readonly Column<Kept>[] = [
    { ...SHORT_TIME, cell: ({ at }) => <When at={at} /> },
    { title: 'Event', width: 'minmax(0, 1fr)', cell: ({ type }) => type },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ event_id: of }) => <Id id={of} /> },
    {
      title: 'Signature',
      width: '7rem',
      isWideOnly: true,
      cell: ({ signature_problem: problem }) => <Status of={problem === '' ? 'ok' : 'failed'} />,
    },
    { title: 'Response', width: '8rem', narrow: '7rem', cell: ({ status: of }) => <Status of={of} /> },
  ];
  const answer = async (body: { status?: number; times?: number }): Promise<void> => {
    await client.value.sandbox.setReceiver({ body });
    loaded.reload();
  };
  return (
    <Show of={loaded}>
      {({ answers }) => (
        <Box title="Received">
          <div class="form">
            <ChoiceField
              label="Response"
              value={status}
              set={setStatus}
              all={ANSWERS.map(([code, says]) => [code, `${code}: ${says}`] as const)}
            />
            <TextField label="Times (empty: always)" inputMode="numeric" value={times} set={setTimes} />
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
          <Table
            label="Received"
            rows={rows}
            columns={columns}
            empty="No delivery yet. Deliveries appear here when they arrive."
            keyOf={receivedKey}
            open={({ number }) => setOpen(number === open ? undefined : number)}
            isBrief
            toEnd={() => void more()}
          />
          {open !== undefined && <ReceivedDelivery number={open} />}
        </Box>
      )}
    </Show>
  );
}
