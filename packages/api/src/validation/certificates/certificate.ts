import type { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';

/** Reads a DER certificate without trailing data; undefined for anything else. */
export function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(bytes);
    return certificate.raw.equals(bytes) ? certificate : undefined;
  } catch {
    return undefined;
  }
}
