import { parseTokenFile, type TokenEntry } from '@binnacle/apiserver/authentication';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { describeFileError } from '../files/index.js';
import type { CheckedOptions } from './check-options.js';
import { StartError } from './start-error.js';

export interface InputFiles {
  readonly tokens: readonly TokenEntry[];
  /** PEM. */
  readonly clientAuthority?: string;
  readonly serving?: { readonly certificate: string; readonly privateKey: string };
}

/** Reads and checks the files that the options name. Throws an `environment` error that names flag and file. */
export async function readInputFiles(options: CheckedOptions): Promise<InputFiles> {
  const { tokenAuthFile, clientCAFile, tlsCertFile, tlsPrivateKeyFile } = options;
  const tokens =
    tokenAuthFile === undefined ? [] : await readChecked('--token-auth-file', tokenAuthFile, parseTokenFile);
  const clientAuthority =
    clientCAFile === undefined ? undefined : await readChecked('--client-ca-file', clientCAFile, checkCertificates);
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    return { tokens, ...(clientAuthority === undefined ? {} : { clientAuthority }) };
  }
  const certificate = await readChecked('--tls-cert-file', tlsCertFile, checkCertificates);
  const privateKey = await readChecked('--tls-private-key-file', tlsPrivateKeyFile, (text) => {
    createSecureContext({ cert: certificate, key: text });
    return text;
  });
  return {
    tokens,
    ...(clientAuthority === undefined ? {} : { clientAuthority }),
    serving: { certificate, privateKey },
  };
}

async function readChecked<T>(flag: string, path: string, check: (text: string) => T): Promise<T> {
  try {
    return check(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = describeFileError(error) ?? (error instanceof Error ? error.message : String(error));
    throw new StartError('environment', `${flag} ${path}: ${reason}`, { cause: error });
  }
}

function checkCertificates(text: string): string {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('no certificate in PEM form in it');
  // Reading them is the check.
  return blocks.map((block) => new X509Certificate(block).toString()).join('');
}
