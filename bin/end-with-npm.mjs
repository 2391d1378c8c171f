// Ends this process when the npm or npx that started it has ended. npm passes SIGTERM to the shell that it started, which ends
// without its command, and SIGKILL to nobody, so a bank would keep its port and its folder. The leader of a session
// (`setsid sandbank start`) was started to stay. Like sandbank.mjs, this file must parse in Node 14.
import { readFileSync } from 'node:fs';

const LOOK_MS = 500;
const MANAGER = /(^|\/)(npm|npx|pnpm|yarn)(-cli)?(\.[cm]?js)?([\s\0]|$)/;

// The state, parent, session and start time of a process, from Linux; null if there is none.
function look(pid) {
  try {
    // The name in parentheses may contain spaces.
    const [state, parent, , session, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return state === 'Z' || state === 'X' ? null : { parent: +parent, session: +session, began: rest[15] };
  } catch (_) {
    return null;
  }
}

// The nearest ancestor that is a package manager.
function findManager() {
  for (let pid = process.ppid; pid > 1; ) {
    const ancestor = look(pid);
    if (ancestor === null) return null;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 2);
      if (words.some((word) => MANAGER.test(word))) return { pid, began: ancestor.began };
    } catch (_) {
      return null;
    }
    pid = ancestor.parent;
  }
  return null;
}

/** Sends SIGTERM to this process when its npm has ended; elsewhere than on Linux, when its parent has. */
export function endWithNpm() {
  const own = look(process.pid);
  const manager = own === null ? null : findManager();
  if (own !== null && (manager === null || own.session === process.pid)) return;
  const parent = process.ppid;
  const isGone =
    manager === null
      ? () => process.ppid !== parent
      : () => {
          const now = look(manager.pid);
          return now === null || now.began !== manager.began;
        };
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
