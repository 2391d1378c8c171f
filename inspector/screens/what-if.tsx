/** What is to go wrong with requests, what is to become of payments, and which settings are in force. */
import { useState } from 'preact/hooks';
import { client } from '../bank.ts';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Json, Show, say } from '../parts.tsx';

export default function WhatIf() {
  return (
    <>
      <h1>What if</h1>
      <Faults />
      <Rules />
      <Settings />
      <RealTime />
    </>
  );
}

const EFFECTS = {
  'status 503': { error: { status: 503 } },
  'status 429': { error: { status: 429 } },
  'two seconds late': { latency: { fixed_ms: 2_000 } },
  'connection reset': { connection: 'reset' },
  'carried out, and the answer lost': { connection: 'reset', when: 'after_commit' },
} as const;

function Faults() {
  const list = useLive((bank) => bank.sandbox.listFaults());
  const [route, setRoute] = useState('/v2/payments/*');
  const [method, setMethod] = useState('POST');
  const [effect, setEffect] = useState<keyof typeof EFFECTS>('status 503');
  const [times, setTimes] = useState('1');
  const body = {
    match: { ...(method !== '' && { method }), ...(route !== '' && { route }) },
    ...EFFECTS[effect],
    ...(times !== '' && { times: Number(times) }),
  };
  return (
    <Box title="Requests that go wrong">
      <Show of={list}>
        {({ faults }) =>
          faults.length === 0 ? (
            <Empty>None: every request is answered as usual.</Empty>
          ) : (
            <ul class="plain-list">
              {faults.map((fault) => (
                <li key={fault.id}>
                  <strong>{fault.id}</strong> {fault.match.method ?? 'any'}{' '}
                  {fault.match.route ?? fault.match.operation ?? 'every request'}:{' '}
                  {fault.error === undefined ? '' : `status ${fault.error.status} `}
                  {fault.connection ?? ''} {fault.when === 'after_commit' ? 'after it was carried out ' : ''}
                  {fault.latency === undefined ? '' : `latency ${Object.values(fault.latency).join('–')} ms `}
                  <span class="soft">
                    {fault.hits} of {fault.seen} requests{fault.over ? ', over' : ''}
                  </span>{' '}
                  <Act
                    label={`End ${fault.id}`}
                    run={() =>
                      client.value.sandbox.deleteFault({ params: { id: fault.id } }).then(list.reload)
                    }
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      <div class="form">
        <label>
          Method
          <select value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value)}>
            <option value="">any</option>
            {['GET', 'POST', 'PATCH', 'DELETE'].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Path
          <input value={route} onInput={({ currentTarget }) => setRoute(currentTarget.value)} />
        </label>
        <label>
          What happens
          <select
            value={effect}
            onChange={({ currentTarget }) => setEffect(currentTarget.value as keyof typeof EFFECTS)}
          >
            {Object.keys(EFFECTS).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Times
          <input
            inputMode="numeric"
            value={times}
            placeholder="always"
            onInput={({ currentTarget }) => setTimes(currentTarget.value)}
          />
        </label>
        <Act
          label="Add the fault"
          kind="main"
          run={() => client.value.sandbox.createFault({ body }).then(list.reload)}
        />
      </div>
      <details>
        <summary>The same as JSON</summary>
        <Json value={body} />
      </details>
    </Box>
  );
}

function Rules() {
  const list = useLive((bank) => bank.sandbox.retrieveRules());
  type Rule = NonNullable<typeof list.data>['rules'][number];
  const [rail, setRail] = useState('ach_pull');
  const [min, setMin] = useState('');
  const [outcome, setOutcome] = useState('return_code');
  const [value, setValue] = useState('R01');
  const rule = {
    match: { ...(rail !== '' && { rail }), ...(min !== '' && { amount: { min } }) },
    outcome: outcome === 'review' ? { review: true } : { [outcome]: value },
  } as Rule;
  const replace = (rules: readonly Rule[]) =>
    client.value.sandbox.replaceRules({ body: { rules: [...rules] } }).then(list.reload);
  return (
    <Box title="What becomes of payments">
      <Show of={list}>
        {({ rules }) => (
          <>
            {rules.length === 0 && <Empty>No rule: payments go their ordinary course.</Empty>}
            <ol>
              {rules.map((one, at) => (
                <li key={JSON.stringify([at, one])}>
                  <code>{JSON.stringify(one.match)}</code> → <code>{JSON.stringify(one.outcome)}</code>{' '}
                  <Act
                    label={`Delete rule ${at + 1}`}
                    run={() => replace(rules.filter((_, place) => place !== at))}
                  />
                </li>
              ))}
            </ol>
            <div class="form">
              <label>
                Rail
                <select value={rail} onChange={({ currentTarget }) => setRail(currentTarget.value)}>
                  <option value="">any</option>
                  {[
                    'ach_pull',
                    'ach_push',
                    'domestic_wire',
                    'rtp_push',
                    'fednow_push',
                    'check_send',
                    'card_authorization',
                  ].map((one) => (
                    <option key={one}>{one}</option>
                  ))}
                </select>
              </label>
              <label>
                From amount
                <input
                  value={min}
                  placeholder="any"
                  inputMode="decimal"
                  onInput={({ currentTarget }) => setMin(currentTarget.value)}
                />
              </label>
              <label>
                Outcome
                <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value)}>
                  <option value="return_code">is returned with</option>
                  <option value="decline_reason">is declined for</option>
                  <option value="review">is put in review</option>
                </select>
              </label>
              {outcome !== 'review' && (
                <label>
                  {outcome === 'return_code' ? 'Return code' : 'Reason'}
                  <input value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
                </label>
              )}
              <Act label="Add the rule" kind="main" run={() => replace([...rules, rule])} />
            </div>
            <details>
              <summary>The same as JSON</summary>
              <Json value={rule} />
            </details>
          </>
        )}
      </Show>
    </Box>
  );
}

function Settings() {
  const settings = useLive((bank) => bank.sandbox.retrieveSettings());
  return (
    <Box title="Settings">
      <Show of={settings}>
        {(it) => (
          <div class="form">
            {(['magic_values', 'card_controls_in_test'] as const).map((name) => (
              <label key={name}>
                {name.replaceAll('_', ' ')}
                <input
                  type="checkbox"
                  checked={it[name]}
                  onChange={async ({ currentTarget }) => {
                    await client.value.sandbox.changeSettings({ body: { [name]: currentTarget.checked } });
                    settings.reload();
                    say(`${name.replaceAll('_', ' ')}: ${currentTarget.checked ? 'on' : 'off'}`);
                  }}
                />
              </label>
            ))}
            <p class="soft">
              Magic values: an ACH pull of 50.00 to 99.99 in v1 is returned with R01, one of 100.00 or more is
              declined, and one from the account 9999999999 is returned with R03.
            </p>
          </div>
        )}
      </Show>
    </Box>
  );
}

function RealTime() {
  const loaded = useLive(async (bank) => {
    const [settings, { decisions }] = await Promise.all([
      bank.sandbox.retrieveRta(),
      bank.sandbox.listRtaDecisions({ query: { limit: '20' } }),
    ]);
    return { settings, decisions };
  });
  const [url, setUrl] = useState('http://127.0.0.1:3000/authorize');
  return (
    <Box title="Real-time authorization">
      <Show of={loaded}>
        {({ settings, decisions }) => (
          <>
            {settings.configured ? <Json value={settings} /> : <Empty>The bank asks no program.</Empty>}
            <div class="form">
              <label class="wide">
                Address of your program
                <input type="url" value={url} onInput={({ currentTarget }) => setUrl(currentTarget.value)} />
              </label>
              <Act
                label="Ask it"
                kind="main"
                run={() => client.value.sandbox.configureRta({ body: { url } }).then(loaded.reload)}
              />
              <Act label="Ask no program" run={() => client.value.sandbox.removeRta().then(loaded.reload)} />
            </div>
            {decisions.length > 0 && <Json value={decisions} name="decisions" />}
          </>
        )}
      </Show>
    </Box>
  );
}
