import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A self-signed certificate for tests, made with the `openssl` command; Node itself can make none. */
export function makeTestCertificate(subject: string, alternativeNames = 'DNS:localhost,IP:127.0.0.1'): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-test-'));
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', subject, '-addext', `subjectAltName=${alternativeNames}`];
  try {
    execFileSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', certificate], {
      stdio: 'pipe',
    });
    return { certificate: readFileSync(certificate, 'utf8'), privateKey: readFileSync(key, 'utf8') };
  } catch (error) {
    throw new Error('this test needs the openssl command to make its certificate', { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
