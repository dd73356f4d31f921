import { existsSync } from 'node:fs';
import { open, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { hasErrorCode, messageOf } from '@binnacle/apimachinery/errors';
import { makeDirectory } from '@binnacle/kv/directories';
import { readTextIfPresent, writePrivateFile } from '../files/index.js';

/** How long to wait for another program to finish, and how often to try. */
const LOCK_LIMIT_MS = 5000;
const LOCK_RETRY_MS = 50;

/** The user's kubeconfig files, as kubectl finds them. Without KUBECONFIG that is `~/.kube/config`. */
export function kubeconfigPaths({ KUBECONFIG = '' }: NodeJS.ProcessEnv): readonly [string, ...string[]] {
  const [first, ...others] = new Set(KUBECONFIG.split(delimiter).filter((path) => path !== ''));
  return first === undefined ? [join(homedir(), '.kube', 'config')] : [first, ...others];
}

/** The file for new entries, as kind chooses it: the first that exists, else the last. */
export function pathForNewEntries(
  paths: readonly [string, ...string[]],
  exists: (path: string) => boolean = existsSync,
): string {
  return paths.find(exists) ?? paths.at(-1) ?? paths[0];
}

/**
 * Replaces the text of a kubeconfig, atomically and under the lock that kubectl takes. `change` gets the present text, empty if there is no
 * file. A text that it does not change needs no lock and is not written, so the file may be read-only. Rejects with an Error that names the file.
 */
export async function changeKubeconfig(path: string, change: (text: string) => string, clock: Clock): Promise<void> {
  const changed = async (file: string): Promise<string | undefined> => {
    const text = (await readTextIfPresent(file)) ?? '';
    try {
      const after = change(text);
      return after === text ? undefined : after;
    } catch (error) {
      throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
    }
  };
  // kubectl writes in place, so a text read without the lock may be half a file.
  if ((await changed(path).catch(() => path)) === undefined) return;
  makeDirectory(dirname(path));
  const place = join(await realpath(dirname(path)), basename(path));
  // A link stays a link. kubectl locks it by the name that it is given.
  const file = await realpath(place).catch(() => place);
  await using _lock = await lock(`${place}.lock`, clock);
  await using _fileLock = file === place ? undefined : await lock(`${file}.lock`, clock);
  const text = await changed(file);
  if (text !== undefined) await writePrivateFile(file, text);
}

/** Upstream: client-go `clientcmd.lockFile`. */
async function lock(path: string, clock: Clock): Promise<AsyncDisposable> {
  const end = clock.monotonic() + LOCK_LIMIT_MS;
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.close();
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
      if (clock.monotonic() >= end) {
        throw new Error(`another program has locked the kubeconfig; if none runs, remove ${path}`, { cause: error });
      }
      await sleep(clock, LOCK_RETRY_MS);
    }
  }
}
