/** Faults of requests, outcomes of payments, real-time authorization, and settings. */
import { useState } from 'preact/hooks';
import { client } from '../bank.ts';
import { ChoiceField, Field, TextField, withAll } from '../fields.tsx';
import { useLive } from '../live.ts';
import { Act, Box, counted, Empty, Json, Show, say } from '../parts.tsx';

export default function WhatIf() {
  return (
    <>
      <h1>Simulate</h1>
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
  'latency only': {},
  'connection reset': { connection: 'reset' },
  'executed, but no response': { connection: 'reset', when: 'after_commit' },
} as const;

function Faults() {
  const list = useLive((bank) => bank.sandbox.listFaults(), [], ['request']);
  const [route, setRoute] = useState('/v2/payments/*');
  const [method, setMethod] = useState('POST');
  const [effect, setEffect] = useState<keyof typeof EFFECTS>('status 503');
  const [times, setTimes] = useState('1');
  const [latency, setLatency] = useState('');
  const [probability, setProbability] = useState('');
  const body = {
    match: { ...(method !== '' && { method }), ...(route !== '' && { route }) },
    ...EFFECTS[effect],
    ...((latency !== '' || effect === 'latency only') && { latency: { fixed_ms: Number(latency || 2_000) } }),
    ...(times !== '' && { times: Number(times) }),
    ...(probability !== '' && { probability: Number(probability) }),
  };
  return (
    <Box title="Faults">
      <Show of={list}>
        {({ faults }) =>
          faults.length === 0 ? (
            <Empty>No fault is set.</Empty>
          ) : (
            <ul class="plain-list">
              {faults.map((fault) => (
                <li key={fault.id}>
                  <strong>{fault.id}</strong> {fault.match.method ?? 'any'}{' '}
                  {fault.match.route ?? fault.match.operation ?? 'every request'}:{' '}
                  {fault.error === undefined ? '' : `status ${fault.error.status} `}
                  {fault.connection ?? ''}{' '}
                  {fault.when === 'after_commit' ? 'after the request was executed ' : ''}
                  {fault.latency === undefined ? '' : `latency ${Object.values(fault.latency).join('–')} ms `}
                  <span class="soft">
                    {fault.hits} of {counted(fault.seen, 'request')}
                    {fault.over ? ', ended' : ''}
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
      {(list.data?.faults.length ?? 0) > 0 && (
        <Act label="End all faults" run={() => client.value.sandbox.deleteFaults().then(list.reload)} />
      )}
      <div class="form">
        <ChoiceField
          label="Method"
          value={method}
          set={setMethod}
          all={withAll(['GET', 'POST', 'PATCH', 'DELETE'], 'any')}
        />
        <TextField label="Path" value={route} set={setRoute} />
        <ChoiceField label="Effect" value={effect} set={setEffect} all={Object.keys(EFFECTS)} />
        <TextField label="Times" inputMode="numeric" placeholder="always" value={times} set={setTimes} />
        <TextField
          label="Latency (ms)"
          inputMode="numeric"
          placeholder="none"
          value={latency}
          set={(text) => setLatency(text.trim())}
        />
        <TextField
          label="Probability (0 to 1)"
          inputMode="decimal"
          placeholder="always"
          value={probability}
          set={(text) => setProbability(text.trim())}
        />
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

const RAILS = [
  'ach_pull',
  'ach_push',
  'domestic_wire',
  'rtp_push',
  'fednow_push',
  'check_send',
  'card_authorization',
];
const OUTCOMES = {
  return_code: 'is returned with',
  decline_reason: 'is declined for',
  review: 'is put in review',
};

function Rules() {
  const list = useLive((bank) => bank.sandbox.retrieveRules(), [], ['rules']);
  type Rule = NonNullable<typeof list.data>['rules'][number];
  const [rail, setRail] = useState('ach_pull');
  const [min, setMin] = useState('');
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>('return_code');
  const [value, setValue] = useState('R01');
  const rule = {
    match: { ...(rail !== '' && { rail }), ...(min !== '' && { amount: { min } }) },
    outcome: outcome === 'review' ? { review: true } : { [outcome]: value },
  } as Rule;
  const replace = (rules: readonly Rule[]) =>
    client.value.sandbox.replaceRules({ body: { rules: [...rules] } }).then(list.reload);
  return (
    <Box title="Payment outcomes">
      <Show of={list}>
        {({ rules }) => (
          <>
            {rules.length === 0 && <Empty>No rule is set.</Empty>}
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
              <ChoiceField label="Rail" value={rail} set={setRail} all={withAll(RAILS, 'any')} />
              <TextField
                label="Minimum amount"
                inputMode="decimal"
                placeholder="any"
                value={min}
                set={setMin}
              />
              <ChoiceField label="Outcome" value={outcome} set={setOutcome} all={OUTCOMES} />
              {outcome !== 'review' && (
                <TextField
                  label={outcome === 'return_code' ? 'Return code' : 'Reason'}
                  value={value}
                  set={setValue}
                />
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

const SHORTFALLS = {
  refused: 'is refused with 400',
  declined: 'is recorded as declined',
} as const;

function Settings() {
  const settings = useLive((bank) => bank.sandbox.retrieveSettings(), [], ['settings']);
  const change = (body: Partial<NonNullable<typeof settings.data>>) =>
    client.value.sandbox.changeSettings({ body }).then(settings.reload);
  return (
    <Box title="Settings">
      <Show of={settings}>
        {(it) => (
          <div class="form">
            {(['magic_values', 'card_controls_in_test'] as const).map((name) => (
              <Field key={name} label={name.replaceAll('_', ' ')}>
                <input
                  type="checkbox"
                  checked={it[name]}
                  onChange={async ({ currentTarget }) => {
                    await change({ [name]: currentTarget.checked });
                    say(`${name.replaceAll('_', ' ')}: ${currentTarget.checked ? 'on' : 'off'}`);
                  }}
                />
              </Field>
            ))}
            <ChoiceField
              label="Payment over the balance or a limit in v2"
              value={it.shortfall}
              set={async (shortfall) => {
                await change({ shortfall });
                say(`A payment over the balance or a limit in v2 ${SHORTFALLS[shortfall]}.`);
              }}
              all={SHORTFALLS}
            />
            <p class="soft">
              Card controls in test: a card test of v1 also applies the limits of a period and the categories.
            </p>
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
            {settings.configured ? (
              <Json value={settings} />
            ) : (
              <Empty>No authorization webhook is configured.</Empty>
            )}
            <div class="form">
              <TextField
                label="Address of your authorization webhook"
                isWide
                type="url"
                value={url}
                set={setUrl}
              />
              <Act
                label="Set the webhook"
                kind="main"
                run={() => client.value.sandbox.configureRta({ body: { url } }).then(loaded.reload)}
              />
              <Act
                label="Remove the webhook"
                run={() => client.value.sandbox.removeRta().then(loaded.reload)}
              />
            </div>
            {decisions.length > 0 && <Json value={decisions} name="decisions" />}
          </>
        )}
      </Show>
    </Box>
  );
}
