import { readFile } from 'node:fs/promises';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { Log } from '@binnacle/apimachinery/logging';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { Encryption } from '@binnacle/apiserver/encryption';
import type { StartConfig } from './options/config.js';
import { namedInErrors } from './named-file.js';
import { serverName } from './server-name.js';

const FLAG = '--encryption-provider-config';

interface EncryptionParts {
  readonly registry: MetricRegistry;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the encryption of the store; undefined without a configuration. Throws an `environment` error. */
export async function openEncryption(
  config: StartConfig,
  { registry, clock, log }: EncryptionParts,
): Promise<Encryption | undefined> {
  const { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reloads = false } = config;
  if (path === undefined) return undefined;
  const { Encryption: Opened, EncryptionObserver } = await import('@binnacle/apiserver/encryption');
  const options = {
    read: () => readFile(path, 'utf8'),
    reloads,
    clock,
    observer: new EncryptionObserver(registry, clock, serverName()),
    report: (what: string, error: unknown) =>
      log.error('encryption', what, error, [
        ['flag', FLAG],
        ['path', path],
      ]),
  };
  return namedInErrors(FLAG, path, () => Opened.open(options));
}
