import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { CredentialSource, Credentials } from './client-config.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { CachedCredentials } from './cached-credentials.js';
import type { Environment } from './environment.js';

/** Upstream re-reads at the same interval. Files are replaced long before their credentials expire. */
const REREAD_MILLISECONDS = 60_000;

export interface CredentialFiles {
  readonly token?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/**
 * Credentials in files that another program renews. They are re-read every minute and after a refusal. If a later read fails, the previous
 * credentials stay in use.
 */
export function fileCredentials(files: CredentialFiles, environment: Environment, clock: Clock): CredentialSource {
  const read = async (path: string | undefined, what: string) =>
    path === undefined ? undefined : readText(path, what, environment);
  return new CachedCredentials(
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

/** Throws a {@link KubeconfigError} if the file cannot be read. */
export async function readText(path: string, what: string, environment: Environment): Promise<string> {
  try {
    return await environment.readFile(path);
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
      return messageOf(error);
  }
}

/** Node.js' code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
