/** The holders: people and businesses with their verification, and the actions of the platform on them. */
import { useLocation } from 'wouter-preact';
import { client } from '../bank.ts';
import { useLive } from '../live.ts';
import { Summary } from '../name.tsx';
import { readV2, usePages } from '../pages.ts';
import { Act, Box, Empty, Id, Json, Line, Money, Record, Show, Status, say } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';

export default function People({ id }: { id?: string }) {
  if (id === undefined) return <All />;
  return id.startsWith('fam') ? <Family id={id} /> : <One id={id} />;
}

type Holder = Awaited<ReturnType<(typeof client)['value']['v2']['retrieveSubAccountHolder']>>;

const nameOf = ({ person, business }: Pick<Holder, 'person' | 'business'>): string =>
  person === null ? (business?.legal_name ?? '') : `${person.first_name} ${person.last_name}`;
const checkOf = ({ person, business }: Pick<Holder, 'person' | 'business'>): string =>
  (person === null ? business?.kyb?.status : person.kyc?.status) ?? '';

function All() {
  const [, go] = useLocation();
  const { loaded, rows, more } = usePages(
    (bank, page) => readV2(page, (query) => bank.v2.listSubAccountHolders({ query })),
    ({ id }) => id,
    [],
    ['holder'],
  );
  type Row = (typeof rows)[number];
  const columns: readonly Column<Row>[] = [
    { title: 'Name', width: 'minmax(0, 1fr)', cell: (it) => nameOf(it) },
    { title: 'Type', width: '6rem', isWideOnly: true, cell: ({ type }) => type },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ id }) => <Id id={id} /> },
    { title: 'Check', width: '8rem', isWideOnly: true, cell: (it) => <Status of={checkOf(it)} /> },
    { title: 'State', width: '11rem', narrow: '9rem', cell: ({ status }) => <Status of={status} /> },
  ];
  return (
    <>
      <h1>People</h1>
      <Show of={loaded}>
        {() => (
          <Table
            label="Holders"
            rows={rows}
            columns={columns}
            empty="There is no holder yet. Send creates one: New holder."
            keyOf={({ id }) => id}
            open={({ id }) => go(`/people/${id}`)}
            toEnd={() => void more()}
          />
        )}
      </Show>
      <Families />
    </>
  );
}

/** The families of v1, whose members share accounts. */
function Families() {
  const [, go] = useLocation();
  const loaded = useLive((bank) => bank.v1.listFamilies({ query: { limit: '100' } }), [], ['family']);
  type Row = NonNullable<typeof loaded.data>['data'][number];
  const columns: readonly Column<Row>[] = [
    { title: 'Name', width: 'minmax(0, 1fr)', cell: ({ name }) => name },
    {
      title: 'Created by',
      width: '10rem',
      isWideOnly: true,
      cell: ({ createdPersonId: of }) => <Id id={of} />,
    },
    { title: 'State', width: '11rem', narrow: '9rem', cell: ({ status }) => <Status of={status} /> },
  ];
  return (
    <Box title="Families">
      <Show of={loaded}>
        {({ data }) => (
          <Table
            label="Families"
            rows={data}
            columns={columns}
            empty="There is no family yet. v1 creates them: POST /v1/family."
            keyOf={({ id }) => id}
            open={({ id }) => go(`/people/${id}`)}
          />
        )}
      </Show>
    </Box>
  );
}

function Family({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [family, accounts] = await Promise.all([
        bank.v1.retrieveFamily({ params: { familyId: id } }),
        bank.v1.listAccounts({ query: { familyId: id } }),
      ]);
      return { family, accounts: accounts.data };
    },
    [id],
  );
  return (
    <Show of={loaded}>
      {({ family, accounts }) => (
        <>
          <h1>{family.name}</h1>
          <p>
            <Id id={id} whole /> family <Status of={family.status} />
          </p>
          <Box title="Accounts">
            {accounts.length === 0 && <Empty>No accounts.</Empty>}
            <ul class="plain-list">
              {accounts.map(({ id: of, label }) => (
                <li key={of}>
                  {label} <Id id={of} />
                </li>
              ))}
            </ul>
          </Box>
          <Record title="v1 record" value={family} />
        </>
      )}
    </Show>
  );
}

/** The documents of a holder, as v1 lists them. */
function Documents({ id, type }: { id: string; type: string }) {
  const loaded = useLive(
    async (bank) =>
      type === 'person'
        ? bank.v1.listPersonDocuments({ params: { personId: id } })
        : bank.v1.listBusinessDocuments({ params: { businessId: id } }),
    [id, type],
    ['holder'],
  );
  return (
    <Box title="Documents">
      <Show of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>No document was sent.</Empty>
          ) : (
            <ul class="plain-list">
              {data.map(({ id: of, name, docType, status }) => (
                <li key={of}>
                  {name} {docType.replace(/([A-Z])/g, ' $1').toLowerCase()} <Status of={status} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Box>
  );
}

/** The token with which an app of v1 acts as a person. */
function Token({ id }: { id: string }) {
  const loaded = useLive((bank) => bank.sandbox.retrievePersonToken({ params: { id } }), [id]);
  return (
    <Box title="Token for v1">
      <p class="lead">An app that sends this header acts as this person.</p>
      <Show of={loaded}>
        {({ token, authorization }) => (
          <>
            <Line text={`Authorization: ${authorization}`} />
            <Line text={token} />
          </>
        )}
      </Show>
    </Box>
  );
}

/** Why a check is in review or declined, part by part. */
function Reasons({ of: { person, business } }: { of: Holder }) {
  const { idv, kyc } = person ?? { idv: null, kyc: null };
  const parts = [
    ...Object.entries(kyc?.details ?? {}).map(([part, it]) => [part, it.status, it.reasons] as const),
    ...Object.entries(business?.kyb?.details ?? {}).map(
      ([part, it]) => [part, it.status, it.reason] as const,
    ),
    ['identity document', idv?.status ?? '', idv?.reasons ?? null] as const,
  ].filter(([, , reasons]) => reasons !== null);
  if (parts.length === 0) return null;
  return (
    <ul class="plain-list" aria-label="Reasons">
      {parts.flatMap(([part, status, reasons]) =>
        (reasons ?? []).map(({ code, description }) => (
          <li key={`${part} ${code}`}>
            {part} <Status of={status} /> <strong>{code}</strong> {description}
          </li>
        )),
      )}
    </ul>
  );
}

function One({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [holder, why, accounts] = await Promise.all([
        bank.v2.retrieveSubAccountHolder({ params: { sub_account_holder_id: id } }),
        bank.sandbox.explain({ params: { id } }),
        bank.v2.listSubAccounts({ query: { sub_account_holder_id: id, limit: '50' } }),
      ]);
      return { holder, why, accounts: accounts.data };
    },
    [id],
    [id, 'holder', 'account', 'transaction'],
  );
  return (
    <Show of={loaded}>
      {({ holder, why, accounts }) => (
        <>
          <h1>{nameOf(holder)}</h1>
          <p>
            <Id id={id} whole /> {holder.type} <Status of={holder.status} />
          </p>
          <Summary text={why.summary} />
          <Box title="Simulate">
            <div class="form">
              {why.simulations.map(({ event, legal, reason }) => (
                <Act
                  key={event}
                  label={event.replaceAll('_', ' ')}
                  kind={legal ? 'main' : ''}
                  isOff={!legal}
                  reason={reason}
                  run={() =>
                    client.value.sandbox
                      .simulateHolder({ params: { id, event } })
                      .then(() => say(`${event}: done`))
                  }
                />
              ))}
            </div>
          </Box>
          <div class="two">
            <Box title="Verification">
              <Reasons of={holder} />
              <Json value={holder.person?.kyc ?? holder.business?.kyb ?? null} />
            </Box>
            <Box title="Accounts">
              {accounts.length === 0 && <Empty>No accounts.</Empty>}
              <ul class="plain-list">
                {accounts.map(({ id: of, label, available_balance: amount }) => (
                  <li key={of}>
                    {label} <Id id={of} /> <Money amount={amount} /> USD
                  </li>
                ))}
              </ul>
            </Box>
          </div>
          {holder.type === 'person' && <Token id={id} />}
          <Documents id={id} type={holder.type} />
          {holder.business !== null && (
            <Box title="Members">
              <ul class="plain-list">
                {(holder.business?.members ?? []).map((member) => (
                  <li key={member.id}>
                    {member.first_name} {member.last_name}, {member.title} <Id id={member.id} />{' '}
                    <Status of={member.kyc?.status ?? ''} />
                  </li>
                ))}
              </ul>
            </Box>
          )}
          <Record title="v2 record" value={holder} />
        </>
      )}
    </Show>
  );
}
