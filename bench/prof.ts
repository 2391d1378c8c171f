import { CASES } from './cases.ts';
import { startBank, startClient, cleanUp } from './children.ts';
import { cpuSeconds } from './proc.ts';
import { readBank } from './state.ts';
const [names = 'ach', places = 'memory', conns = '16', secs = '2', dir = ''] = process.argv.slice(2);
if (dir) process.env.NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${dir} --cpu-prof-interval=200`;
for (const name of names.split(',')) for (const place of places.split(',')) {
const c = CASES.find((x) => x.name === name)!;
const bank = await startBank(place as 'memory');
const { seeded } = await readBank(bank.url);
const client = startClient();
const job = (n: string, s: number, k: number) => client.run({ port: bank.port, method: c.operation.method, path: c.path(seeded), headers: c.headers, freshHeader: c.freshHeader, name: n, body: c.body(seeded), connections: k, seconds: s, status: c.operation.status });
await job('warm', 4, 64);
let i = 0;
for (const k of conns.split(',')) {
  const all = [];
  for (let r = 0; r < 4; r++) { const b = cpuSeconds(bank.pid)!; const o = await job('w' + i++, +secs, +k); if (o.problem) console.log(o.problem); all.push([o.answers / o.seconds, (cpuSeconds(bank.pid)! - b) / o.answers * 1e6]); }
  const med = (x: number) => all.map((a) => a[x]!).sort((a, b) => a - b).slice(1, 3).reduce((a, b) => a + b) / 2;
  console.log(name, place, k, med(0).toFixed(0), '/s', med(1).toFixed(1), 'cpu us');
}
await bank.stop(); await client.stop(); }
cleanUp(); process.exit();
