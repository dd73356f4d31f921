import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { Log } from '@binnacle/apimachinery/logging';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { Encryption } from '@binnacle/apiserver/encryption';
import type { StartConfig } from './options/config.js';
import { naming } from './named-file.js';

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
  return naming(FLAG, path, () => Opened.open(options));
}

/** Upstream: apiserver `pkg/server/config.go` APIServerID. */
function serverName(): string {
  const host = createHash('sha256').update(hostname()).digest();
  return `apiserver-${base32(host.subarray(0, 16))}`;
}

/** In lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
