/** The counterparties, and a counterparty. */
import { useLocation } from 'wouter-preact';
import type { client } from '../bank.ts';
import { useLive } from '../live.ts';
import { Name } from '../name.tsx';
import { readV2, usePages } from '../pages.ts';
import { Id, Record, Show } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';

export default function Counterparties({ id }: { id?: string }) {
  return id === undefined ? <All /> : <One id={id} />;
}

type Counterparty = Awaited<ReturnType<(typeof client)['value']['v2']['retrieveCounterparty']>>;

/** The label of the client, else its own name. */
function nameOf({ label, person, business, id }: Pick<Counterparty, 'label' | 'person' | 'business' | 'id'>) {
  const own = person === null ? business?.legal_name : `${person.first_name} ${person.last_name}`;
  return label || own?.trim() || id;
}

function All() {
  const [, go] = useLocation();
  const { loaded, rows, more } = usePages(
    (bank, page) => readV2(page, (query) => bank.v2.listCounterparties({ query })),
    ({ id }) => id,
    [],
    ['counterparty'],
  );
  type Row = (typeof rows)[number];
  const columns: readonly Column<Row>[] = [
    { title: 'Name', width: 'minmax(0, 1fr)', cell: (it) => nameOf(it) },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ id }) => <Id id={id} /> },
    {
      title: 'Account',
      width: 'minmax(0, 1fr)',
      isWideOnly: true,
      cell: ({ sub_account_id: of }) => <Name id={of} />,
    },
  ];
  return (
    <>
      <h1>Counterparties</h1>
      <Show of={loaded}>
        {() => (
          <Table
            label="Counterparties"
            rows={rows}
            columns={columns}
            empty="There is no counterparty yet."
            keyOf={({ id }) => id}
            open={({ id }) => go(`/counterparties/${id}`)}
            toEnd={() => void more()}
            isWhole
          />
        )}
      </Show>
    </>
  );
}

function One({ id }: { id: string }) {
  const loaded = useLive(
    (bank) => bank.v2.retrieveCounterparty({ params: { counterparty_id: id } }),
    [id],
    [id],
  );
  return (
    <Show of={loaded}>
      {(it) => (
        <>
          <h1>{nameOf(it)}</h1>
          <p>
            <Id id={id} whole /> of <Name id={it.sub_account_id} />
          </p>
          <Record title="v2 record" value={it} isOpen />
        </>
      )}
    </Show>
  );
}
