/** All sandboxes, and the snapshots of the shown one. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { BASE, client, keepKey, sandboxName, sendRequest } from '../bank.ts';
import { download } from '../export.ts';
import { ChoiceField, Field, TextField } from '../fields.tsx';
import { useLive } from '../live.ts';
import { Act, Box, counted, Empty, Id, Json, Show, Status, say, When } from '../parts.tsx';
import { importImage, isDeletionMeant, restore } from '../safety.ts';

const size = (bytes: number | null): string =>
  bytes === null
    ? '–'
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;

export default function Sandboxes() {
  const list = useLive((bank) => bank.sandbox.listSandboxes(), [], ['sandboxes']);
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const make = async (): Promise<void> => {
    const made = await client.value.sandbox.createSandbox({ body: { name, ...(from !== '' && { from }) } });
    keepKey(made.name, made.key);
    setName('');
    say(`${made.name} was created; its key is ${made.key}`);
    list.reload();
  };
  return (
    <>
      <h1>Sandboxes</h1>
      <Show of={list}>
        {({ sandboxes }) => (
          <div class="scroll">
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">State</th>
                  <th scope="col" class="wide-only">
                    Size
                  </th>
                  <th scope="col" class="wide-only">
                    Last use (real time)
                  </th>
                  <th scope="col">Clock</th>
                  <th scope="col">
                    <span class="hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {sandboxes.map(({ name: of, open, problem, bytes, used_at: used, clock }) => (
                  <tr key={of}>
                    <td>
                      <a
                        href={`${BASE}/${encodeURIComponent(of)}`}
                        aria-current={of === sandboxName.value ? 'page' : undefined}
                      >
                        {of}
                      </a>
                    </td>
                    <td>
                      {problem !== '' ? (
                        <Status of="failed" />
                      ) : open ? (
                        <Status of="open" />
                      ) : (
                        <span class="soft">closed until used</span>
                      )}
                    </td>
                    <td class="right wide-only">{size(bytes)}</td>
                    <td class="wide-only">{used === null ? '–' : <When at={used} />}</td>
                    <td>
                      {clock === null ? (
                        '–'
                      ) : (
                        <>
                          <When at={clock.now} isLong /> {clock.mode}
                        </>
                      )}
                    </td>
                    <td>
                      {of !== 'default' && (
                        <Act
                          label={`Delete ${of}`}
                          kind="quiet-danger"
                          run={async () => {
                            if (!(await isDeletionMeant(`the sandbox ${of} with all its data`))) return;
                            await client.value.sandbox.deleteSandbox({ params: { name: of } });
                            if (of === sandboxName.value) location.href = `${BASE}/default/sandboxes`;
                            else list.reload();
                          }}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Show>
      <Box title="Create a sandbox">
        <div class="form">
          <TextField label="Name" value={name} set={setName} />
          <ChoiceField
            label="Copy of"
            value={from}
            set={setFrom}
            all={[
              ['', 'none (the seed)'],
              ...(list.data?.sandboxes.map(({ name: of }) => [of, of] as const) ?? []),
            ]}
          />
          <Act label="Create" kind="main" run={make} isOff={name === ''} reason="enter a name first" />
        </div>
      </Box>
      <Snapshots />
      <Image />
    </>
  );
}

/** Export, import and seed documents of the sandbox. */
function Image() {
  const name = sandboxName.value;
  return (
    <Box title="Data">
      <div class="form">
        <Act
          label="Export"
          title="Download the sandbox as an SQLite file"
          run={async () => {
            const answer = await sendRequest({
              method: 'GET',
              path: '/_sandbox/export',
              type: '',
              idempotencyKey: '',
              body: undefined,
            });
            if (!answer.ok) throw new Error(`The export answered ${answer.status}.`);
            download(`${name}.sqlite`, await answer.blob());
          }}
        />
        <Field label="Import an export">
          <input
            type="file"
            onChange={async ({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              currentTarget.value = '';
              if (file !== undefined) await importImage(file);
            }}
          />
        </Field>
        <Act
          label="Wait for deliveries"
          title="Wait until nothing is due and nothing is in flight"
          run={async () => {
            const { quiescent, waiting } = await client.value.sandbox.drain({ body: {} });
            say(
              quiescent
                ? 'No delivery is due or in flight.'
                : `${counted(waiting, 'delivery is', 'deliveries are')} still waiting.`,
              quiescent ? 'good' : 'waiting',
            );
          }}
        />
      </div>
      <p class="soft">
        <Link href="/send?version=control&operation=sandbox_seed">Add records from a seed document</Link>
      </p>
    </Box>
  );
}

function Snapshots() {
  const list = useLive((bank) => bank.sandbox.listSnapshots(), [], ['snapshots']);
  const [name, setName] = useState('before');
  const [other, setOther] = useState('');
  const [compared, setCompared] = useState<{ of: string; until: string; result: Comparison }>();
  const { sandbox } = client.value;
  return (
    <Box title={`Snapshots of ${sandboxName.value}`}>
      <div class="form">
        <TextField label="Name" value={name} set={setName} />
        <Act
          label="Take a snapshot"
          kind="main"
          run={async () => {
            await sandbox.takeSnapshot({ params: { name } });
            list.reload();
          }}
        />
        <ChoiceField
          label="Compare with"
          value={other}
          set={setOther}
          all={[['', 'now'], ...(list.data?.snapshots.map(({ name: of }) => [of, of] as const) ?? [])]}
        />
      </div>
      <Show of={list}>
        {({ snapshots }) =>
          snapshots.length === 0 ? (
            <Empty>This sandbox has no snapshot yet.</Empty>
          ) : (
            <ul class="plain-list">
              {snapshots.map(({ name: of, bytes }) => (
                <li key={of}>
                  <strong>{of}</strong> <span class="soft">{size(bytes)}</span>{' '}
                  <Act
                    label={`Restore ${of}`}
                    run={async () => {
                      await restore(of);
                      setCompared(undefined);
                      list.reload();
                    }}
                  />{' '}
                  <Act
                    label={`Compare ${of} with ${other || 'now'}`}
                    run={async () =>
                      setCompared({
                        of,
                        until: other,
                        result: await sandbox.compareSnapshot({
                          params: { name: of },
                          query: other === '' ? {} : { with: other },
                        }),
                      })
                    }
                  />{' '}
                  <Act
                    label={`Delete ${of}`}
                    kind="quiet-danger"
                    run={async () => {
                      if (!(await isDeletionMeant(`the snapshot ${of}`))) return;
                      await sandbox.deleteSnapshot({ params: { name: of } });
                      list.reload();
                    }}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {compared !== undefined && (
        <>
          <h3>
            Changed since {compared.of}
            {compared.until !== '' && `, until ${compared.until}`}
          </h3>
          <Changes of={compared.result} />
        </>
      )}
    </Box>
  );
}

type Comparison = Awaited<ReturnType<(typeof client)['value']['sandbox']['compareSnapshot']>>;

/** The records that differ, each with the fields that differ. */
function Changes({ of: { counts, records } }: { of: Comparison }) {
  const parts = counts.flatMap(({ noun, created, changed, removed }) => {
    const words = [
      created > 0 && `${created} created`,
      changed > 0 && `${changed} changed`,
      removed > 0 && `${removed} removed`,
    ].filter(Boolean);
    return words.length === 0 ? [] : [`${noun.replaceAll('_', ' ')}: ${words.join(', ')}`];
  });
  if (parts.length === 0) return <Empty>No record changed.</Empty>;
  return (
    <>
      <p>{parts.join('; ')}.</p>
      <ul class="plain-list">
        {records.map(({ noun, id, change, fields, record }) => (
          <li key={`${noun} ${id}`}>
            <Status of={change} /> {noun.replaceAll('_', ' ')} <Id id={id} />
            {fields.length > 0 ? (
              <ul class="soft">
                {fields.map(({ field, before, after }) => (
                  <li key={field}>
                    {field}: {shown(before)} → {shown(after)}
                  </li>
                ))}
              </ul>
            ) : (
              change !== 'changed' && (
                <details>
                  <summary class="soft">record</summary>
                  <Json value={record} />
                </details>
              )
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const shown = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
