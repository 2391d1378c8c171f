/** The cards, and a card with its controls, its limits with their use, and simulated purchases. */
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { client } from '../bank.ts';
import { ChoiceField, Field, TextField } from '../fields.tsx';
import { useLive } from '../live.ts';
import { Name } from '../name.tsx';
import { sayOutcome } from '../outcome.tsx';
import { readV2, usePages } from '../pages.ts';
import {
  Act,
  Box,
  Empty,
  Id,
  Json,
  Limit,
  Money,
  Record,
  SHORT_TIME,
  Show,
  Status,
  say,
  Usage,
  When,
} from '../parts.tsx';
import { type Column, Table } from '../table.tsx';

export default function Cards({ id }: { id?: string }) {
  return id === undefined ? <All /> : <One id={id} />;
}

function All() {
  const [, go] = useLocation();
  const { loaded, rows, more } = usePages(
    (bank, page) => readV2(page, (query) => bank.v2.listCards({ query })),
    ({ id }) => id,
    [],
    ['card'],
  );
  type Row = (typeof rows)[number];
  const columns: readonly Column<Row>[] = [
    {
      title: 'Card',
      width: 'minmax(0, 1fr)',
      cell: ({ label, last4 }) => `${label || 'Card'} •••• ${last4}`,
    },
    { title: 'Type', width: '6rem', isWideOnly: true, cell: ({ type }) => type },
    {
      title: 'Account',
      width: 'minmax(0, 1fr)',
      isWideOnly: true,
      cell: ({ sub_account_id: of }) => <Name id={of} />,
    },
    {
      title: 'Expires',
      width: '6rem',
      narrow: '3.5rem',
      cell: ({ expiry_month: month, expiry_year: year }) => `${month}/${year.slice(-2)}`,
    },
    { title: 'State', width: '10rem', narrow: '7.5rem', cell: ({ status }) => <Status of={status} /> },
  ];
  return (
    <>
      <h1>Cards</h1>
      <Show of={loaded}>
        {() => (
          <Table
            label="Cards"
            rows={rows}
            columns={columns}
            empty="There is no card yet."
            keyOf={({ id }) => id}
            open={({ id }) => go(`/cards/${id}`)}
            toEnd={() => void more()}
          />
        )}
      </Show>
    </>
  );
}

function One({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [card, why] = await Promise.all([
        bank.v2.retrieveCard({ params: { card_id: id } }),
        bank.sandbox.explain({ params: { id } }),
      ]);
      return { card, why };
    },
    [id],
    [id, 'transaction'],
  );
  return (
    <Show of={loaded}>
      {({ card, why }) => (
        <>
          <h1>{card.label || 'Card'}</h1>
          <p>
            <Id id={id} whole /> <Status of={card.status} />{' '}
            {why.status === INACTIVE && <span class="soft">(not activated yet)</span>} of{' '}
            <Name id={card.sub_account_id} />{' '}
            {why.status === INACTIVE && (
              <Act
                label="Activate"
                run={async () => {
                  const { expiry_month, expiry_year, last4 } = card;
                  await client.value.v2.activateCard({
                    params: { card_id: id },
                    body: { expiry_month, expiry_year, last4 },
                  });
                  say('The card is activated.');
                }}
              />
            )}
          </p>
          <div class="two">
            <div>
              <div
                class={`bank-card ${card.status === 'open' ? '' : 'off'}`}
                role="img"
                aria-label={`A ${card.type} card that ends in ${card.last4}`}
              >
                <span>{card.type}</span>
                <strong>•••• •••• •••• {card.last4}</strong>
                <span>
                  {card.expiry_month}/{card.expiry_year.slice(-2)}
                </span>
              </div>
              <Limits card={card} why={why} />
            </div>
            <Box title="Controls">
              <Json value={card.controls} />
            </Box>
          </div>
          <Purchase id={id} why={why} />
          <Payments id={id} />
          <Record title="v2 record" value={card} />
        </>
      )}
    </Show>
  );
}

/** A physical card before its activation; v2 calls it locked. */
const INACTIVE = 'pending_activation';

type Card = Awaited<ReturnType<(typeof client)['value']['v2']['retrieveCard']>>;
type Limited = NonNullable<Card['controls']>['limit'];

/** The fields of the limit; an empty one removes it. */
const LIMITS = {
  max_spend_amount: 'In the period (USD)',
  max_spend_per_transaction: 'Per payment (USD)',
  max_spend_count: 'Payments in the period',
} as const;
const PERIODS: Readonly<Record<Limited['period'], string>> = {
  '': 'none',
  daily: 'daily',
  weekly: 'weekly',
  monthly: 'monthly',
  yearly: 'yearly',
  all_time: 'all time',
  per_transaction: 'per payment',
};

/** The used part of the card's own limits, and a form that sets them. */
function Limits({ card, why: { limits, figures } }: { card: Card; why: Why }) {
  const { uses = '0', max_spend_count: times } = figures;
  const [limit, setLimit] = useState<Limited>(card.controls.limit);
  const { max_spend_per_transaction: mostAtOnce } = card.controls.limit;
  return (
    <Box title="Limits (USD)">
      {limits.length === 0 && times === undefined && mostAtOnce === '' && (
        <Empty>This card has no limit.</Empty>
      )}
      {limits.map(({ period, limit, used }) => (
        <Limit key={period} title={period.replaceAll('_', ' ')} used={used} most={limit} />
      ))}
      {times !== undefined && (
        <Usage used={Number(uses)} most={Number(times)}>
          {uses} of {times} payments
        </Usage>
      )}
      {mostAtOnce !== '' && (
        <p>
          per payment: at most <Money amount={mostAtOnce} />
        </p>
      )}
      <div class="form">
        <ChoiceField
          label="Period"
          value={limit.period}
          set={(period) => setLimit({ ...limit, period })}
          all={PERIODS}
        />
        {(Object.keys(LIMITS) as (keyof typeof LIMITS)[]).map((name) => (
          <TextField
            key={name}
            label={LIMITS[name]}
            inputMode="decimal"
            value={limit[name]}
            set={(text) => setLimit({ ...limit, [name]: text.trim() })}
          />
        ))}
        <Act
          label="Set the limits"
          run={async () => {
            await client.value.v2.updateCard({ params: { card_id: card.id }, body: { controls: { limit } } });
            say('The limits are set.');
          }}
        />
      </div>
    </Box>
  );
}

type Why = Awaited<ReturnType<(typeof client)['value']['sandbox']['explain']>>;

function Purchase({ id, why }: { id: string; why: Why }) {
  const [amount, setAmount] = useState('12.50');
  const [name, setName] = useState('Corner Market');
  const [mcc, setMcc] = useState('5411');
  const [atm, setAtm] = useState(false);
  const [wallet, setWallet] = useState<'' | 'apple_pay' | 'google_pay'>('');
  const { sandbox } = client.value;
  const body = { amount, merchant: { name, mcc } };
  return (
    <Box title="Simulate">
      <div class="form">
        <TextField label="Amount (USD)" inputMode="decimal" value={amount} set={setAmount} />
        <TextField label="Merchant" value={name} set={setName} />
        <TextField label="Category" inputMode="numeric" value={mcc} set={setMcc} />
        <ChoiceField
          label="Wallet"
          value={wallet}
          set={setWallet}
          all={{ '': 'none', apple_pay: 'Apple Pay', google_pay: 'Google Pay' }}
        />
        <Field label="ATM">
          <input
            type="checkbox"
            checked={atm}
            onChange={({ currentTarget }) => setAtm(currentTarget.checked)}
          />
        </Field>
        <Act
          label="Authorize"
          kind="main"
          run={() =>
            sandbox
              .simulateCardAuthorization({
                params: { card_id: id },
                body: { ...body, ...(wallet !== '' && { wallet }), ...(atm && { atm }) },
              })
              .then(sayOutcome)
          }
        />
        <Act
          label="Refund without a purchase"
          run={() => sandbox.simulateCardRefund({ params: { card_id: id }, body }).then(sayOutcome)}
        />
        {why.simulations.map(({ event, legal, reason }) => (
          <Act
            key={event}
            label={event}
            isOff={!legal}
            reason={reason}
            run={() =>
              sandbox
                .simulateCard({ params: { card_id: id, event }, body: {} })
                .then(() => say(`${event}: done`))
            }
          />
        ))}
      </div>
    </Box>
  );
}

function Payments({ id }: { id: string }) {
  const [, go] = useLocation();
  const loaded = useLive(
    (bank) => bank.sandbox.listTransactions({ query: { card_id: id, limit: '100' } }),
    [id],
    ['transaction'],
  );
  type Row = NonNullable<typeof loaded.data>['transactions'][number];
  const columns: readonly Column<Row>[] = [
    { ...SHORT_TIME, isWideOnly: true, cell: ({ created_at: at }) => <When at={at} /> },
    { title: 'Payment', width: '7rem', isWideOnly: true, cell: ({ type }) => type },
    {
      title: 'Merchant',
      width: 'minmax(0, 1fr)',
      cell: ({ name, description }) => name || description || '–',
    },
    { title: 'State', width: '7.5rem', cell: ({ status }) => <Status of={status} /> },
    {
      title: 'Amount (USD)',
      width: '8.5rem',
      isMoney: true,
      cell: ({ amount, direction, status }) => (
        <Money amount={amount} direction={direction} status={status} />
      ),
    },
  ];
  return (
    <Box title="Card payments">
      <Show of={loaded}>
        {({ transactions }) => (
          <Table
            label="Card payments"
            rows={transactions}
            columns={columns}
            empty="There is no card payment yet."
            keyOf={({ id }) => id}
            open={({ id }) => go(`/transactions/${id}`)}
          />
        )}
      </Show>
    </Box>
  );
}
