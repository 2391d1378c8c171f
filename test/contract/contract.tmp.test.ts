import { it, expect, vi } from 'vitest';
import { CASES, callCase } from '../http/cases.ts';
import { useHttp } from '../http/support.ts';
import { createWalk } from './walk.ts';
import { createWitness } from './witness.ts';
import { worldOf } from './world.ts';
vi.setConfig({ testTimeout: 60_000 });
const http = useHttp();
const mods = import.meta.glob('./scenarios/*.ts', { eager: true }) as any;
it('examples', async () => {
  const walk = createWalk();
  const witness = createWitness(walk);
  const t0 = Date.now();
  for (const entry of CASES) await callCase(witness.watch(http.caller()), entry);
  const t1 = Date.now();
  for (const mod of Object.values(mods) as any[]) for (const [name, run] of Object.entries(mod) as any[]) if (typeof run === 'function' && !['person','personOfV1','railsOf','contactRails','giveDebitCard'].includes(name)) {
    const a = Date.now();
    try { await run(worldOf(witness.watch(http.caller()))); } catch (e) { console.log(name, e); }
    console.log(name, Date.now() - a);
  }
  console.log('ms', t1 - t0, Date.now() - t1);
  console.log([...new Set(walk.problems)].slice(0, 100).join('\n'));
  console.log([...new Set(witness.problems)].join('\n'));
  console.log(walk.rowCount(), walk.valueCount(), walk.tables().length);
  for (const t of walk.tables()) { const g = walk.gaps(t); if (g.length) console.log(t.name + '\n   ' + g.join('\n   ')); }
});
