import type { Clock } from '../clock/index.js';
import type { CredentialSource, Credentials } from './client-config.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { RenewedCredentials } from './renewed.js';
import type { Surroundings } from './surroundings.js';

/** Files are replaced long before what is in them expires. Upstream reads them as often. */
const REREAD_MILLISECONDS = 60_000;

export interface CredentialFiles {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/**
 * Credentials in files that somebody else renews: read again every minute, and when they were refused. A file that cannot be read
 * later on is no failure while there is what was read before.
 */
export function fileCredentials(files: CredentialFiles, surroundings: Surroundings, clock: Clock): CredentialSource {
  const read = async (path: string | undefined, what: string) =>
    path === undefined ? undefined : readText(path, what, surroundings);
  return new RenewedCredentials(
    () => clock.now(),
    async (previous) => {
      let credentials: Credentials;
      try {
        credentials = {
          token: (await read(files.token, 'token file'))?.trim(),
          clientCertificate: await read(files.clientCertificate, 'client certificate'),
          clientKey: await read(files.clientKey, 'client key'),
        };
        if (credentials.token === '') throw new KubeconfigError(`token file ${files.token}: is empty`);
      } catch (error) {
        if (previous === undefined) throw error;
        credentials = previous;
      }
      return { credentials, freshUntil: clock.now() + REREAD_MILLISECONDS };
    },
  );
}

/** Throws a {@link KubeconfigError} when the file cannot be read. */
export async function readText(path: string, what: string, surroundings: Surroundings): Promise<string> {
  try {
    return await surroundings.readFile(path);
  } catch (error) {
    throw new KubeconfigError(`${what} ${path}: ${explainFileError(error)}`, { cause: error });
  }
}

export function explainFileError(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
      return 'may not be read by this user';
    case 'EISDIR':
      return 'is a directory';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** Node's code of a failed call to the system, `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
