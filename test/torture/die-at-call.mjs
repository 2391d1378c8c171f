// Loaded before the program (`node --import`) if there is no strace: kills the process at one of its own calls of
// node:fs, which SANDBANK_TORTURE_CALL names, at the occurrence that SANDBANK_TORTURE_WHEN sets.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const NAMES = {
  pwrite64: ['writeFileSync', 'writeSync', 'copyFileSync'],
  fdatasync: ['fsyncSync', 'fdatasyncSync'],
  ftruncate: ['ftruncateSync', 'truncateSync'],
  unlink: ['rmSync', 'unlinkSync'],
  rename: ['renameSync'],
  write: ['writeSync', 'writeFileSync'],
  writev: ['openSync', 'statSync', 'existsSync'],
};
const { SANDBANK_TORTURE_CALL: call = '', SANDBANK_TORTURE_WHEN: when = '1' } = process.env;
// The program refuses unknown settings.
delete process.env.SANDBANK_TORTURE_CALL;
delete process.env.SANDBANK_TORTURE_WHEN;
let left = Number(when);
for (const name of NAMES[call] ?? []) {
  const usual = fs[name];
  fs[name] = (...args) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return usual.apply(fs, args);
  };
}
syncBuiltinESMExports();
