/** The dashboard in deploy/ uses metrics that a bank has. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startBank } from './support.ts';

const DASHBOARD = new URL('../../../deploy/grafana.json', import.meta.url);

it('the dashboard queries only existing metrics', async () => {
  const bank = await startBank();
  const { text } = await bank.v2('GET', '/metrics');
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  const asked = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:sandbank|nodejs|process)_[a-z0-9_]+/g)),
  );
  expect(asked.length).toBeGreaterThan(12);
  for (const name of asked) {
    // Without an observation a histogram of labels has no lines yet.
    const family = name.replace(/_(bucket|sum|count)$/, '');
    expect([name, text.includes(`# TYPE ${name} `) || text.includes(`# TYPE ${family} histogram`)]).toEqual([
      name,
      true,
    ]);
  }
  const own = [...text.matchAll(/^# TYPE (sandbank_\S+)/gm)].map(([, name]) => name);
  expect(own.filter((name) => !asked.some((metric: string) => metric.startsWith(name ?? '')))).toEqual([]);
});
