import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Distinguishes a process from a later one with the same pid. Empty if the system does not report it. */
  readonly startedAt: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedAt: startTime(process.pid)?.startedAt ?? '' };
}

/** Whether exactly this process is still running. */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // No permission to signal a process means that it exists.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const found = startTime(pid);
  if (found === undefined) return true;
  return !found.zombie && (startedAt === '' || startedAt === found.startedAt);
}

/** The boot and the clock ticks since it, from Linux's /proc; undefined on other systems. */
function startTime(pid: number): { readonly startedAt: string; readonly zombie: boolean } | undefined {
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
