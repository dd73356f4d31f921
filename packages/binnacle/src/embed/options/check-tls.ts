import { messageOf } from '@binnacle/apimachinery/errors';
import { usageError } from '../start-error.js';
import { cipherList } from './cipher-suites.js';
import { separated } from './separated.js';
import { parseNamedFiles, type TlsStartOptions } from './tls-options.js';

const OLD: readonly string[] = ['VersionTLS10', 'VersionTLS11'];

/** Throws a `usage` error. Upstream: apiserver `pkg/server/options/serving.go`. */
export function checkTls({
  tlsMinVersion: version = 'VersionTLS12',
  tlsCipherSuites,
  tlsSniCertKeys = [],
}: TlsStartOptions): void {
  if (OLD.includes(version)) {
    throw usageError(`--tls-min-version ${version}: this server speaks no version below VersionTLS12`);
  }
  if (version !== 'VersionTLS12' && version !== 'VersionTLS13') {
    throw usageError(`--tls-min-version: unknown tls version ${JSON.stringify(version)}`);
  }
  asUsage('--tls-cipher-suites', () => cipherList(separated(tlsCipherSuites)));
  for (const value of tlsSniCertKeys) asUsage(`--tls-sni-cert-key ${value}`, () => parseNamedFiles(value));
}

function asUsage(flag: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw usageError(`${flag}: ${messageOf(error)}`);
  }
}
