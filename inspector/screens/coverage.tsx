/** The coverage of the sandbox, and the decisions of the bank. */
import { client } from '../bank.ts';
import { Filter, withAll } from '../fields.tsx';
import { useFilters } from '../filters.ts';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Show } from '../parts.tsx';
import { trace } from '../trace.ts';

const KINDS = [
  'operations',
  'states',
  'transitions',
  'event_types_v2',
  'event_types_v1',
  'error_codes',
  'return_codes',
] as const;

export default function Coverage() {
  return (
    <>
      <h1>{trace === null ? 'Coverage and assumptions' : 'Coverage'}</h1>
      <Exercised />
      {trace === null && <Assumptions />}
    </>
  );
}

function Exercised() {
  const [search, choose] = useFilters({ replace: true });
  const open = search.get('kind') ?? '';
  const loaded = useLive((bank) => bank.sandbox.retrieveCoverage());
  return (
    <Box
      title="Coverage"
      aside={
        <Act label="Reset the counts" run={() => client.value.sandbox.clearCoverage().then(loaded.reload)} />
      }
    >
      <Show of={loaded}>
        {(report) => (
          <>
            <p>{report.percent} % of everything below was exercised.</p>
            {KINDS.map((kind) => {
              const { counts, missing, exercised, exists, percent } = report[kind];
              return (
                <details
                  key={kind}
                  open={open === kind}
                  onToggle={({ currentTarget }) => {
                    if (currentTarget.open) choose('kind', kind);
                    else if (open === kind) choose('kind', '');
                  }}
                >
                  <summary>
                    {kind.replaceAll('_', ' ')}: {exercised} of {exists} ({percent} %){' '}
                    <meter min={0} max={100} value={percent} aria-label={kind} />
                  </summary>
                  <ul class="map">
                    {Object.entries(counts).map(([name, count]) => (
                      <li key={name} class="met">
                        <span aria-hidden="true">●</span> {name} <span class="soft">{count}</span>
                      </li>
                    ))}
                    {missing.map((name) => (
                      <li key={name}>
                        <span aria-hidden="true">○</span> {name} <span class="hidden">not exercised</span>
                      </li>
                    ))}
                  </ul>
                </details>
              );
            })}
          </>
        )}
      </Show>
    </Box>
  );
}

const EVIDENCE = ['documented', 'sample', 'client', 'inferred', 'ours'];

function Assumptions() {
  const loaded = useLive((bank) => bank.sandbox.listAssumptions({ query: {} }), [], null);
  const [search] = useFilters();
  const text = search.get('find') ?? '';
  const evidence = search.get('evidence') ?? '';
  return (
    <Box title="Assumptions">
      <div class="form">
        <Filter name="find" label="Find" isWide />
        <Filter name="evidence" label="Evidence" all={withAll(EVIDENCE)} />
      </div>
      <Show of={loaded}>
        {({ assumptions }) => {
          const words = text.trim().toLowerCase();
          const rows = assumptions.filter(
            (row) =>
              (evidence === '' || row.evidence === evidence) &&
              `${row.question} ${row.answer}`.toLowerCase().includes(words),
          );
          return rows.length === 0 ? (
            <Empty>No assumption matches the filter.</Empty>
          ) : (
            <ul class="plain-list">
              {rows.map(({ slug, question, answer, evidence: how }) => (
                <li key={slug}>
                  <details>
                    <summary>
                      {question} <span class="soft">{how}</span>
                    </summary>
                    <p>{answer}</p>
                  </details>
                </li>
              ))}
            </ul>
          );
        }}
      </Show>
    </Box>
  );
}
