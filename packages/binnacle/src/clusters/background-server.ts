import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { lockOwner } from '@binnacle/kv/locks';
import { identityOf, isRunning, type ProcessIdentity } from '@binnacle/kv/processes';
import type { ClusterFolder } from './cluster-folder.js';

/** How often to look whether a process has ended. */
const LOOK_MS = 50;
/** A stop waits 10 s for work in progress. */
const LONGEST_STOP_MS = 15_000;
/** How long a killed process may remain. */
const LONGEST_KILL_MS = 5_000;

/**
 * Starts a program that outlives this process, with the log of the cluster as its output, and records it. Rejects if it cannot be
 * started.
 */
export async function startInBackground(
  [program = '', ...args]: readonly string[],
  folder: ClusterFolder,
): Promise<ProcessIdentity> {
  await using log = await folder.openLog();
  // Its own session, so that the end of the terminal and Ctrl-C do not reach it.
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log.fd, log.fd], cwd: folder.path });
  await once(child, 'spawn');
  child.unref();
  const identity = identityOf(child.pid ?? 0);
  await folder.saveProcess(identity);
  return identity;
}

/** The process of the cluster's server if it runs, even if the command that started it was killed before it recorded it. */
export async function runningServer(folder: ClusterFolder): Promise<ProcessIdentity | undefined> {
  const identity = await folder.process();
  return identity !== undefined && isRunning(identity) ? identity : lockOwner(folder.store);
}

/**
 * Ends the server of a cluster: by SIGTERM, and by SIGKILL if it has not ended in time. False: it did not run. Rejects when the system
 * does not report when processes start: the pid may then be that of another process.
 */
export async function stopServer(folder: ClusterFolder, clock: Clock): Promise<boolean> {
  const identity = await runningServer(folder);
  if (identity === undefined) {
    await folder.forgetProcess();
    return false;
  }
  const { pid, startedAt } = identity;
  if (startedAt === '') {
    throw new Error(`cannot tell whether process ${pid} is the server of ${folder.name}; stop it yourself if it is`);
  }
  if (!(await ended(identity, 'SIGTERM', LONGEST_STOP_MS, clock))) {
    if (!(await ended(identity, 'SIGKILL', LONGEST_KILL_MS, clock))) {
      throw new Error(`process ${pid}, the server of ${folder.name}, does not end`);
    }
  }
  await folder.forgetProcess();
  return true;
}

async function ended(
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
  limitMs: number,
  clock: Clock,
): Promise<boolean> {
  if (!isRunning(identity)) return true;
  process.kill(identity.pid, signal);
  const end = clock.monotonic() + limitMs;
  while (clock.monotonic() < end) {
    await sleep(clock, LOOK_MS);
    if (!isRunning(identity)) return true;
  }
  return false;
}
