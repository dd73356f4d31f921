import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hasErrorCode } from '@binnacle/apimachinery/errors';

export interface ProcessIdentity {
  readonly pid: number;
  /** Distinguishes a process from a later one with the same pid. Empty if the system does not report it. */
  readonly startedAt: string;
}

/** How long `ps` may take. */
const PS_LIMIT_MS = 2000;

export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

/** The identity of a running process, such as a child of this one. */
export function identityOf(pid: number): ProcessIdentity {
  return { pid, startedAt: startTime(pid)?.startedAt ?? '' };
}

/** Whether exactly this process is still running. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // No permission to signal a process means that it exists.
    if (!hasErrorCode(error, 'EPERM')) return false;
  }
  const found = startTime(pid);
  if (found === undefined) return true;
  return !found.zombie && (startedAt === '' || startedAt === found.startedAt);
}

interface StartTime {
  readonly startedAt: string;
  readonly zombie: boolean;
}

/** Undefined if the system does not report it, or there is no such process. */
function startTime(pid: number): StartTime | undefined {
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
}

/** The boot and the clock ticks since it, from Linux's /proc. */
function fromProc(pid: number): StartTime | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the command in parentheses, may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { startedAt: `${boot}/${fields[19] ?? ''}`, zombie: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}

/** The second at which the process started, from `ps` of other Unix systems. */
export function fromPs(pid: number): StartTime | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_LIMIT_MS,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  const [, state = '', startedAt] = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(stdout) ?? [];
  return startedAt === undefined ? undefined : { startedAt, zombie: state.startsWith('Z') };
}
