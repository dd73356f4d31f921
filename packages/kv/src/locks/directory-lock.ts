import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasErrorCode } from '@binnacle/apimachinery/errors';
import { KVError } from '../interface/index.js';
import { isRunning, ownIdentity, type ProcessIdentity } from '../processes/index.js';

/** The file in a locked directory that names the process. */
export const LOCK_FILE = 'lock';

/**
 * Locks a directory for this process, or throws `locked`. Takes over the lock of a process that has ended. Returns a
 * function that releases it.
 *
 * A link to a complete file creates the lock file atomically. A stale one is renamed, not deleted. If two processes
 * find it stale, one renames it. The other then sees that the file it renamed was not the stale one.
 */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, LOCK_FILE);
  const own = JSON.stringify(ownIdentity());
  const candidate = `${file}.${process.pid}`;
  rmSync(candidate, { force: true });
  try {
    writeFileSync(candidate, own, { mode: 0o600, flag: 'wx' });
    while (!tryLink(candidate, file)) removeStale(directory, file);
  } finally {
    rmSync(candidate, { force: true });
  }
  return () => {
    if (readLock(file) === own) rmSync(file, { force: true });
  };
}

/** The running process that holds the lock of a directory, if this process can see it. */
export function lockOwner(directory: string): ProcessIdentity | undefined {
  const content = readLock(join(directory, LOCK_FILE));
  const owner = content === undefined ? undefined : parse(content);
  return owner !== undefined && isRunning(owner) ? owner : undefined;
}

function removeStale(directory: string, file: string): void {
  const content = readLock(file);
  if (content === undefined) return;
  const owner = parse(content);
  if (owner !== undefined && isRunning(owner)) throw locked(directory, owner.pid);
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readLock(aside) !== content) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parse(content: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return undefined;
    const { pid, startedAt } = value;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof startedAt !== 'string')
      return undefined;
    return { pid, startedAt };
  } catch {
    return undefined;
  }
}

function locked(directory: string, pid: number): KVError {
  return new KVError('locked', `data directory ${directory} is in use by process ${pid}`);
}
