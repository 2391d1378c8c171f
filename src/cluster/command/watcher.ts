/**
 * Ends a child process when this process ends, also after SIGKILL, when no code of this process can run. A shell waits for the
 * end of a pipe whose other end only this process has; the system closes it with the process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

const WATCH = 'read -r line; kill -9 "$1"';

/** Kills `child` when this process has ended. Without a shell, the child survives a SIGKILL of this process. */
export function endWithThisProcess(child: ChildProcess): void {
  // Windows ends the children of a process with it.
  if (child.pid === undefined || process.platform === 'win32') return;
  const watcher = spawn('sh', ['-c', WATCH, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Signals to the group of this process, such as Ctrl-C, must not end it first.
    detached: true,
  });
  watcher.on('error', () => {});
  // Neither keeps this process running.
  watcher.unref();
  (watcher.stdin as Socket).unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
}
