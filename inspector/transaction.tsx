/** A transaction: its states, timeline, books, decisions and related records, and the events that can be simulated. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { client } from './bank.ts';
import { Diagram } from './diagram.tsx';
import { ChoiceField, TextField } from './fields.tsx';
import { useLive } from './live.ts';
import { Name, Summary } from './name.tsx';
import {
  Act,
  Box,
  counted,
  Empty,
  Id,
  isPosting,
  Money,
  Record,
  Show,
  Status,
  say,
  Transferred,
  When,
} from './parts.tsx';
import { addHistory, items, type RequestItem } from './stream.ts';
import { type Moment, Timeline } from './timeline.tsx';

export function Transaction({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [why, record] = await Promise.all([
        bank.sandbox.explain({ params: { id } }),
        bank.v2.retrieveTransaction({ params: { transaction_id: id } }),
      ]);
      return { why, record };
    },
    [id],
    [id],
  );
  const request = useRequest(id);
  const rails = useLive((bank) => bank.sandbox.listRails(), [], null);
  return (
    <Show of={loaded}>
      {({ why, record }) => {
        const rail = rails.data?.rails.find(({ name }) => name === why.figures.rail);
        const states = why.path.map(({ status }) => status).filter((state, at, all) => state !== all[at - 1]);
        return (
          <>
            <h1>
              {rail?.label ?? record.method.replaceAll('_', ' ')}{' '}
              <Money amount={record.amount} direction={record.direction} status={record.status} />{' '}
              <span class="soft">USD</span>
            </h1>
            <p>
              <Id id={id} whole /> <Status of={record.status} />
            </p>
            <Summary text={why.summary} />
            {why.reason !== null && (
              <p class="notice">
                <strong>{why.reason.code}</strong> {why.reason.message}
              </p>
            )}
            <Parties record={record} request={request} />
            <Box title="States">
              {rail === undefined ? (
                <p class="soft diagram">Loading …</p>
              ) : (
                <Diagram
                  steps={rail.steps}
                  path={states}
                  label={`The states of ${rail.label}, and the path of this payment: ${states.join(', ')}`}
                />
              )}
              {why.next_step !== null && (
                <p>
                  Next: {why.next_step.event} at <When at={why.next_step.at} isLong />
                </p>
              )}
            </Box>
            <Happen why={why} events={rail?.steps.map(({ event }) => event) ?? []} />
            <Way why={why} request={request} />
            <div class="two">
              <Books transfers={why.transfers} />
              <Decisions why={why} />
            </div>
            <Records id={id} record={record} />
          </>
        );
      }}
    </Show>
  );
}

type TransactionRecord = Awaited<ReturnType<(typeof client)['value']['v2']['retrieveTransaction']>>;

/** The request that created a payment; `undefined` if the activity no longer contains it. */
function useRequest(id: string): RequestItem | undefined {
  const request = items.value.find(
    (item): item is RequestItem =>
      item.type === 'request' &&
      item.facts !== null &&
      items.value.some(
        (fact) =>
          fact.type === 'fact' &&
          fact.resource_id === id &&
          fact.change === 'created' &&
          fact.seq >= (item.facts?.from ?? 0) &&
          fact.seq <= (item.facts?.to ?? 0),
      ),
  );
  // Loaded once if the page was opened at this payment.
  useLive(
    async (bank) => {
      if (request === undefined)
        addHistory((await bank.sandbox.listActivity({ query: { limit: '300' } })).items);
    },
    [id],
    null,
  );
  return request;
}

/** Links to its request, account, counterparty, card and parent. */
function Parties({ record, request }: { record: TransactionRecord; request: RequestItem | undefined }) {
  const parties: readonly [title: string, id: string, name: string][] = [
    ['Request', request?.id ?? '', request === undefined ? '' : `${request.method} ${request.path}`],
    ['Account', record.sub_account_id, ''],
    ['Counterparty', record.counterparty?.id ?? '', record.counterparty?.name ?? ''],
    ['Card', record.card?.id ?? '', ''],
    ['Merchant', '', record.card?.merchant ?? ''],
    ['Parent', record.parent_transaction_id, ''],
  ];
  return (
    <ul class="parties" aria-label="Related records">
      {record.description !== '' && (
        <li>
          <span class="soft">Description</span> {record.description}
        </li>
      )}
      {parties
        .filter(([, of, name]) => of !== '' || name !== '')
        .map(([title, of, name]) => (
          <li key={title}>
            <span class="soft">{title}</span> {(title === 'Account' || title === 'Card') && <Name id={of} />}{' '}
            {name} {of !== '' && <Id id={of} />}
          </li>
        ))}
      <li>
        <Link href={`/?text=${record.id}`}>Activity of this payment</Link>
      </li>
    </ul>
  );
}

type Why = Awaited<ReturnType<(typeof client)['value']['sandbox']['explain']>>;

type Simulation = Why['simulations'][number];

/** Whether a merchant causes it on a card authorization. */
const isOfMerchant = ({ path }: Simulation): boolean => path.includes('/authorizations/');

/** A button for every event that can be simulated; a disabled one shows the reason. */
function Happen({ why, events }: { why: Why; events: readonly string[] }) {
  const codes = useLive((bank) => bank.sandbox.listReturnCodes(), [], null);
  const [code, setCode] = useState('R01');
  const [amount, setAmount] = useState('');
  // The event of a merchant takes precedence over the event of a transaction with the same name.
  const ofMerchant = why.simulations.filter(isOfMerchant);
  const known = new Set(ofMerchant.map(({ event }) => event));
  const all = [
    ...ofMerchant,
    ...why.simulations.filter((one) => !isOfMerchant(one) && !known.has(one.event)),
  ];
  const legal = all.filter((one) => one.legal);
  // An event that the rail does not have gets no button. The order stays when another event becomes possible.
  const shown = all.filter((one) => one.legal || isOfMerchant(one) || events.includes(one.event));
  const run = (simulation: Simulation) => async () => {
    const { event } = simulation;
    if (isOfMerchant(simulation)) {
      await client.value.sandbox.simulateAuthorization({
        params: { transaction_id: why.id, event },
        body: event === 'expire' || amount === '' ? {} : { amount },
      });
    } else {
      await client.value.sandbox.simulateTransaction({
        params: { id: why.id, event },
        body: event === 'return' && why.figures.rail?.startsWith('ach') ? { return_code: code } : {},
      });
    }
    say(`${event}: done`);
  };
  return (
    <Box title="Simulate">
      <div class="form">
        {legal.some(isOfMerchant) && (
          <TextField
            label="Amount (USD)"
            inputMode="decimal"
            placeholder="all of it"
            value={amount}
            set={(text) => setAmount(text.trim())}
          />
        )}
        {shown.map((one) => (
          <Act
            key={one.event}
            label={one.event.replaceAll('_', ' ')}
            kind={one.legal ? 'main' : ''}
            run={run(one)}
            isOff={!one.legal}
            reason={one.reason}
          />
        ))}
        {legal.some(({ event }) => event === 'return') && why.figures.rail?.startsWith('ach') && (
          <ChoiceField
            label="Return code"
            value={code}
            set={setCode}
            all={(codes.data?.return_codes ?? []).map(
              ({ code: one, title }) => [one, `${one} ${title}`] as const,
            )}
          />
        )}
      </div>
      {why.return_windows.length > 0 && (
        <ul class="soft">
          {why.return_windows.map(({ time_limit, until, return_codes }) => (
            <li key={time_limit}>
              May be returned until <When at={until} isLong /> ({time_limit};{' '}
              {return_codes.slice(0, 6).join(', ')}
              {return_codes.length > 6 ? ', …' : ''})
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}

/** The postings as T accounts: debits on the left, credits on the right. */
function Books({ transfers }: { transfers: Why['transfers'] }) {
  const accounts = [...new Set(transfers.flatMap(({ debit, credit }) => [debit, credit]))];
  return (
    <Box title="Books">
      {transfers.length === 0 && <Empty>This payment moved no money.</Empty>}
      {!transfers.every(({ kind }) => isPosting(kind)) && (
        <p class="soft">A hold reserves money until it is settled or released. It is no posting.</p>
      )}
      {accounts.map((account) => (
        <table class="t-account" key={account}>
          <caption>
            <Name id={account} />
          </caption>
          <thead>
            <tr>
              <th scope="col">Debit</th>
              <th scope="col">Credit</th>
            </tr>
          </thead>
          <tbody>
            {transfers
              .filter(({ debit, credit }) => debit === account || credit === account)
              .map(({ id, kind, amount, debit }) => (
                <tr key={id}>
                  <td>{debit === account && <Transferred kind={kind} amount={amount} />}</td>
                  <td>{debit !== account && <Transferred kind={kind} amount={amount} />}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </Box>
  );
}

function Decisions({ why: { decisions, figures } }: { why: Why }) {
  return (
    <Box title="Decisions">
      <ol class="plain-list">
        {decisions.map((one, at) => (
          <li key={`${one.at} ${at}`}>
            <When at={one.at} /> <strong>{one.source.replaceAll('_', ' ')}</strong> {one.name}: {one.effect}
            <div class="soft">{one.message}</div>
          </li>
        ))}
      </ol>
      {decisions.length === 0 && <p>No rule, limit or fault affected this payment.</p>}
      <dl>
        {Object.entries(figures).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}

const KIND_OF: Readonly<Record<string, Moment['kind']>> = {
  settled: 'good',
  declined: 'bad',
  returned: 'bad',
  canceled: 'bad',
  reversed: 'bad',
};

type EventRow = Awaited<ReturnType<(typeof client)['value']['sandbox']['listEvents']>>['events'][number];

/** An event with the results of its deliveries. */
function momentOf({ id, type, at, api_version: apiVersion, deliveries }: EventRow): Moment {
  const counts = Object.entries(deliveries).filter(([, count]) => count > 0);
  const isBad = counts.some(([state]) => FAILED.test(state));
  return {
    at,
    kind: isBad ? 'bad' : 'plain',
    title: `event ${type}`,
    detail: (
      <>
        <span class="soft">{apiVersion}</span> <Id id={id} />{' '}
        <span class="soft">
          {counts.map(([state, count]) => `${count} ${state}`).join(', ') || 'no delivery'}
        </span>
      </>
    ),
  };
}

const FAILED = /^(exhausted|dropped)$/;

/** The fact of an event, from the end of its id; it is the same in both versions. */
const factOf = ({ id }: EventRow): string => id.slice(-12);

/** The step of the path that a posting belongs to; several steps can be within one second. */
function stepOf(path: Why['path'], transfer: Why['transfers'][number] | undefined): number {
  if (transfer === undefined || transfer.kind === 'hold') return 0;
  const settled = path.findIndex(({ at, status }) => at === transfer.at && status === 'settled');
  if (transfer.kind === 'settle' && settled >= 0) return settled;
  return Math.max(
    0,
    path.findLastIndex(({ at }) => at <= transfer.at),
  );
}

/**
 * A timeline of the transaction: its request, its states, its postings, its events with their deliveries, and its
 * related transactions, such as the captures and refunds of an authorization.
 */
function Way({
  why: { id, path, related, transfers, next_step: next },
  request,
}: {
  why: Why;
  request: RequestItem | undefined;
}) {
  const loaded = useLive(
    (bank) => bank.sandbox.listEvents({ query: { resource: id, limit: '50' } }),
    [id],
    [id, 'attempt'],
  );
  const sent: Moment[] =
    request === undefined
      ? []
      : [
          {
            at: request.at,
            kind: 'plain',
            title: `request ${request.method} ${request.path}`,
            detail: (
              <>
                <Status of={request.status} /> <Id id={request.id} />
              </>
            ),
          },
        ];
  const own = path.map(
    ({ at, change, status, figures: { amount = '' } }, index): Moment => ({
      at,
      kind: KIND_OF[status] ?? 'plain',
      title: change.replaceAll('_', ' '),
      detail: (
        <>
          <Status of={status} /> {amount !== path[index - 1]?.figures.amount && <Money amount={amount} />}
        </>
      ),
    }),
  );
  const posted = transfers.map(
    ({ at, kind, amount, debit, credit }): Moment => ({
      at,
      kind: 'plain',
      title: isPosting(kind) ? 'posting' : '',
      detail: (
        <>
          <Transferred kind={kind} amount={amount} /> <span class="soft">from</span> <Name id={debit} />{' '}
          <span class="soft">to</span> <Name id={credit} />
        </>
      ),
    }),
  );
  const others = related.map(
    ({ id: other, as, at, type, status, amount, direction }): Moment => ({
      at,
      kind: KIND_OF[status] ?? 'plain',
      title: as,
      detail: (
        <>
          <Id id={other} /> {type} <Money amount={amount} direction={direction} status={status} />{' '}
          <Status of={status} />
        </>
      ),
    }),
  );
  const planned: Moment[] =
    next === null
      ? []
      : [{ at: next.at, kind: 'waiting', title: `${next.event.replaceAll('_', ' ')} is scheduled` }];
  const events = (loaded.data?.events ?? []).toReversed();
  const facts = [...new Set(events.map(factOf))].sort();
  const steps = own.flatMap((state, step) => [
    state,
    ...posted.filter((_, at) => stepOf(path, transfers[at]) === step),
    ...events
      .filter((event) => Math.min(facts.indexOf(factOf(event)), own.length - 1) === step)
      .map(momentOf),
  ]);
  const moments = [...sent, ...steps, ...others, ...planned];
  return (
    <Box title="Timeline">
      <Timeline moments={moments} label={`Timeline of ${counted(moments.length, 'step')}`} />
    </Box>
  );
}

function Records({ id, record }: { id: string; record: unknown }) {
  const account = (record as { sub_account_id?: string }).sub_account_id ?? '';
  const v1 = useLive(
    async (bank) =>
      account === '' ? null : bank.v1.retrieveTransaction({ params: { accountId: account, txnId: id } }),
    [id, account],
    [id],
  );
  return (
    <div class="two">
      <Record title="v2 record" value={record} />
      {v1.data === null || v1.error !== undefined ? (
        <Box title="v1 record">
          <Empty>v1 does not have this record.</Empty>
        </Box>
      ) : (
        <Record title="v1 record" value={v1.data} />
      )}
    </div>
  );
}
