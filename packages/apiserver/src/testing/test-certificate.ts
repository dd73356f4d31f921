import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface TestCertificateOptions {
  readonly alternativeNames?: string;
  /** Default: the certificate is self-signed. */
  readonly issuer?: TestCertificate;
  readonly days?: number;
  /** The curve of the key; default: P-256. */
  readonly curve?: string;
  /** Extensions in addition to the default or in place of it, as in `openssl req -addext`. */
  readonly extensions?: readonly string[];
}

/** Makes a certificate for tests with the `openssl` command, because Node.js cannot. */
export function makeTestCertificate(subject: string, options: TestCertificateOptions = {}): TestCertificate {
  const { alternativeNames = 'DNS:localhost,IP:127.0.0.1', issuer, days = 2, extensions = [] } = options;
  const { curve: curveName = 'prime256v1' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
  const path = (name: string): string => join(folder, `${name}.pem`);
  const curve = ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${curveName}`, '-nodes', '-days', String(days)];
  const names = ['-subj', subject, '-addext', `subjectAltName=${alternativeNames}`];
  const further = extensions.flatMap((extension) => ['-addext', extension]);
  const authority = issuer === undefined ? [] : ['-CA', path('issuer'), '-CAkey', path('issuer-key')];
  try {
    if (issuer !== undefined) {
      writeFileSync(path('issuer'), issuer.certificate);
      writeFileSync(path('issuer-key'), issuer.privateKey);
    }
    const files = ['-keyout', path('key'), '-out', path('certificate')];
    execFileSync('openssl', ['req', '-x509', ...curve, ...names, ...further, ...authority, ...files], {
      stdio: 'pipe',
    });
    return { certificate: readFileSync(path('certificate'), 'utf8'), privateKey: readFileSync(path('key'), 'utf8') };
  } catch (error) {
    throw new Error('this test needs the openssl command to make its certificate', { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
