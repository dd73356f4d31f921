import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { RemoteServiceConfig } from '@binnacle/apiserver';
import { readFile } from 'node:fs/promises';
import { describeFileError } from '../files/index.js';
import { StartError } from './start-error.js';

/** Reads the text of a file that a flag names. Throws an `environment` error that names both. Undefined: the flag names none. */
export async function readNamedText<T>(
  flag: string,
  path: string | undefined,
  read: (text: string) => T | Promise<T>,
): Promise<T | undefined> {
  return path === undefined ? undefined : namedInErrors(flag, path, async () => read(await readFile(path, 'utf8')));
}

/** The same for the kubeconfig of a service. The code that reads it loads only if there is a file. */
export async function readNamedService(
  flag: string,
  path: string | undefined,
  clock: Clock,
): Promise<RemoteServiceConfig | undefined> {
  if (path === undefined) return undefined;
  const { readRemoteService } = await import('./remote-service.js');
  return namedInErrors(flag, path, () => readRemoteService(path, clock));
}

/** Runs work on a file. An error becomes an `environment` error that names flag and file. */
export async function namedInErrors<T>(flag: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StartError('environment', `${flag} ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Why a file cannot be read, or what is wrong with its text. */
export function reasonOf(error: unknown): string {
  return describeFileError(error) ?? messageOf(error);
}
