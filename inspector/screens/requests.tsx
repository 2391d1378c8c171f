/** The requests of programs with their masked responses, and a request with its effects. */
import { Link, useLocation } from 'wouter-preact';
import type { Client } from '../../src/kit/client/client.ts';
import { apiKey } from '../bank.ts';
import { Codes } from '../code-box.tsx';
import { Filter } from '../fields.tsx';
import { useFilters } from '../filters.ts';
import { useLive } from '../live.ts';
import { usePages } from '../pages.ts';
import { Box, Empty, Id, Json, SHORT_TIME, Show, Status, When } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';

const versionOf = (path: string): string =>
  path.startsWith('/v1') ? 'v1' : path.startsWith('/v2') ? 'v2' : 'control';

export default function Requests({ id }: { id?: string }) {
  return id === undefined ? <All /> : <One id={id} />;
}

type Row = Awaited<ReturnType<Client['sandbox']['listRequests']>>['requests'][number];

const STATES = [['', 'all'], '2xx', '4xx', '5xx', ['0', 'no response (fault)']] as const;

function All() {
  const [, go] = useLocation();
  const [search] = useFilters();
  const status = search.get('status') ?? '';
  const text = search.get('text')?.trim() ?? '';
  const { loaded, rows, more } = usePages(
    async (bank, { cursor, limit }) => {
      const { requests, ...page } = await bank.sandbox.listRequests({
        query: {
          limit,
          bodies: 'false',
          ...(cursor !== '' && { cursor }),
          ...(status !== '' && { status }),
          ...(text !== '' && { text }),
        },
      });
      return { rows: requests, cursor: page.cursor, extra: { kept: page.kept } };
    },
    keyOf,
    [status, text],
    ['request'],
  );
  const columns: readonly Column<Row>[] = [
    { ...SHORT_TIME, cell: ({ at }) => <When at={at} /> },
    { title: 'State', width: '5rem', narrow: '4rem', cell: ({ status: of }) => <Status of={of} /> },
    {
      title: 'Request',
      width: 'minmax(0, 1fr)',
      cell: ({ method, path, error_code: code }) => (
        <>
          {method} {path} {code !== '' && <span class="second bad">{code}</span>}
        </>
      ),
    },
    {
      title: 'Operation',
      width: '16rem',
      isWideOnly: true,
      cell: ({ operation }) => <span class="soft">{operation}</span>,
    },
  ];
  const duration: Column<Row> = {
    title: 'ms',
    width: '4.5rem',
    isMoney: true,
    isWideOnly: true,
    cell: ({ ms }) => String(ms),
  };
  const besidePlatform: Column<Row> = {
    title: 'Platform',
    width: '6rem',
    cell: ({ platform }) => (platform === null ? '' : <Agreement of={platform} />),
  };
  return (
    <>
      <h1>Requests</h1>
      <div class="form">
        <Filter name="status" label="State" all={STATES} />
        <Filter name="text" label="Text" placeholder="path, operation, status, code" />
      </div>
      <Show of={loaded}>
        {({ kept }) =>
          rows.length === 0 ? (
            <Empty line={`curl -s ${location.origin}/v2/accounts/sub_account -H 'api-key: ${apiKey.value}'`}>
              {kept === 0 ? 'No program has sent a request yet. Send one:' : 'No request matches the filter.'}
            </Empty>
          ) : (
            <Table
              label="Requests"
              rows={rows}
              columns={
                rows.some(({ platform }) => platform !== null)
                  ? [...columns, duration, besidePlatform]
                  : [...columns, duration]
              }
              keyOf={keyOf}
              open={({ id }) => go(`/requests/${id}`)}
              toEnd={() => void more()}
              isWhole
            />
          )
        }
      </Show>
    </>
  );
}

const keyOf = ({ id }: Row): string => id;

type Platform = NonNullable<Awaited<ReturnType<Client['sandbox']['retrieveRequest']>>['platform']>;

/** Whether the platform returned the same response to the same call. */
function Agreement({ of: { differences } }: { of: Platform }) {
  const count = differences.length;
  return count === 0 ? (
    <span class="status good">equal</span>
  ) : (
    <span class="status waiting" title={`${count} differences`}>
      {count === 1 ? '1 differs' : `${count} differ`}
    </span>
  );
}

/** The differences between the responses of the platform and the bank, and the decisions that explain them. */
function Differences({ of: { differences } }: { of: Platform }) {
  return (
    <Box title="Differences">
      {differences.length === 0 ? (
        <Empty>None. Ids and times are not compared, because each bank generates its own.</Empty>
      ) : (
        <div class="scroll">
          <table class="plain differences">
            <thead>
              <tr>
                {['Cause', 'Field', 'This bank', 'Platform', 'Decision'].map((title) => (
                  <th scope="col" key={title}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differences.map(({ cause, field, here, there, decision }) => (
                <tr key={`${cause} ${field} ${there}`}>
                  <td>{cause}</td>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td>
                    <code>{here}</code>
                  </td>
                  <td>
                    <code>{there}</code>
                  </td>
                  <td>
                    {decision === '' ? (
                      <span class="soft">none</span>
                    ) : (
                      <a href={`/docs/fidelity.html#${decision}`}>{decision}</a>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Box>
  );
}

function Body({ of }: { of: unknown }) {
  return of === null ? <Empty>No body.</Empty> : <Json value={of} />;
}

function One({ id }: { id: string }) {
  const loaded = useLive((bank) => bank.sandbox.retrieveRequest({ params: { id } }), [id], null);
  return (
    <Show of={loaded}>
      {(it) => {
        const query = new URLSearchParams(it.query as Record<string, string>).toString();
        return (
          <>
            <h1>
              {it.method} {it.path}
            </h1>
            <p>
              <Id id={id} whole /> <Status of={it.status} /> {it.ms} ms, <When at={it.at} isLong />{' '}
              <span class="soft">{it.operation}</span>
            </p>
            {it.hint !== '' && <p class="notice">{it.hint}</p>}
            {it.replayed && (
              <p class="notice">The response was replayed under the idempotency key {it.idempotency_key}.</p>
            )}
            {it.fault !== '' && <p class="notice">The fault {it.fault} was applied.</p>}
            <p>
              <Link href={`/send?version=${versionOf(it.path)}&operation=${it.operation}&from=${id}`}>
                Edit and send again
              </Link>
            </p>
            {it.platform !== null && <Differences of={it.platform} />}
            <div class={it.platform === null ? 'two' : ''}>
              <Box title="Request">
                <Body of={it.request_body} />
              </Box>
              {it.platform === null && (
                <Box title="Response">
                  <Body of={it.answer_body} />
                </Box>
              )}
            </div>
            {it.platform !== null && (
              <div class="two">
                <Box title="Response of this bank">
                  <p>
                    <Status of={it.status} />
                  </p>
                  <Body of={it.answer_body} />
                </Box>
                <Box title="Response of the platform">
                  <p>
                    <Status of={it.platform.status} /> <span class="soft">{it.platform.address}</span>
                  </p>
                  <Body of={it.platform.body} />
                </Box>
              </div>
            )}
            <Box title="Effects">
              {it.caused.events.length === 0 && <Empty>This request changed no record.</Empty>}
              {!it.caused.known && <p class="soft">The sandbox was reset or restored after this request.</p>}
              <ul class="plain-list">
                {it.caused.transactions.map((of) => (
                  <li key={of}>
                    transaction <Id id={of} whole />
                  </li>
                ))}
                {it.caused.events.map(({ id: of, type, api_version: apiVersion }) => (
                  <li key={of}>
                    <span class="soft">{apiVersion} event</span> {type} <Id id={of} />
                  </li>
                ))}
              </ul>
            </Box>
            <Codes
              sent={{
                origin: location.origin,
                method: it.method,
                path: `${it.path}${query === '' ? '' : `?${query}`}`,
                key: apiKey.value,
                idempotencyKey: it.idempotency_key,
                body: it.request_body,
                status: it.status,
              }}
            />
            <p class="soft">Secrets and numbers are masked in the journal.</p>
          </>
        );
      }}
    </Show>
  );
}
