import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@binnacle/apimachinery/errors';
import type { CertificateSource, ServerCertificate } from './certificate-source.js';

/** Upstream: controller-runtime's `certwatcher`. */
const INTERVAL = 10_000;

/**
 * The files `tls.crt`, `tls.key` and, if present, `ca.crt` of a folder, such as a mounted Secret of cert-manager. It reads
 * them again every ten seconds. It rejects when they are missing, or the key belongs to another certificate.
 */
export function certificateFiles(directory: string): CertificateSource {
  let present: ServerCertificate | undefined;
  return {
    interval: INTERVAL,
    async refresh() {
      const read = await readFiles(directory);
      if (present === undefined || !isSame(read, present)) present = read;
      return present;
    },
  };
}

async function readFiles(directory: string): Promise<ServerCertificate> {
  const [certificate, privateKey, caBundle] = await Promise.all([
    readFile(join(directory, 'tls.crt'), 'utf8'),
    readFile(join(directory, 'tls.key'), 'utf8'),
    readFile(join(directory, 'ca.crt'), 'utf8').catch(ignoreMissing),
  ]);
  // While the files are being replaced, one may be new and the other old.
  if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) {
    throw new Error(`${join(directory, 'tls.key')} is not the key of tls.crt`);
  }
  return { serving: { certificate, privateKey }, caBundle };
}

function ignoreMissing(error: unknown): undefined {
  if (hasErrorCode(error, 'ENOENT')) return undefined;
  throw error;
}

function isSame(a: ServerCertificate, b: ServerCertificate): boolean {
  return (
    a.caBundle === b.caBundle &&
    a.serving.certificate === b.serving.certificate &&
    a.serving.privateKey === b.serving.privateKey
  );
}
