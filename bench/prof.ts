import { CASES } from './cases.ts';
import { startBank, startClient, cleanUp } from './children.ts';
import { readBank } from './state.ts';
const [name = 'ach', place = 'memory', conns = '16', secs = '6', dir = ''] = process.argv.slice(2);
if (dir) process.env.NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${dir} --cpu-prof-interval=200`;
const c = CASES.find((x) => x.name === name)!;
const bank = await startBank(place as 'memory');
delete process.env.NODE_OPTIONS;
const { seeded } = await readBank(bank.url);
const client = startClient();
const job = (n: string, s: number) => client.run({ port: bank.port, method: c.operation.method, path: c.path(seeded), headers: c.headers, freshHeader: c.freshHeader, name: n, body: c.body(seeded), connections: +conns, seconds: s, status: c.operation.status });
for (let i = 0; i < 4; i++) { const o = await job('w' + i, +secs / 2); console.log(name, place, conns, (o.answers / o.seconds).toFixed(0), '/s p50', o.p50.toFixed(2), 'p99', o.p99.toFixed(2), o.problem); }
await bank.stop(); await client.stop(); cleanUp(); process.exit();
