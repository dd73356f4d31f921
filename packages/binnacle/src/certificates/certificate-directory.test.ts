import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { loadCertificates } from './index.js';

describe('certificate directory', () => {
  let parent = '';
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'certificates-'));
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  it('stores private files and loads them again', async () => {
    const directory = join(parent, 'pki');
    const first = await loadCertificates(directory, ['localhost'], Date.now());
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    const names = readdirSync(directory).sort();
    const pairs = ['admin', 'apiserver-kubelet-client', 'apiserver', 'ca', 'front-proxy-ca', 'front-proxy-client'];
    assert.deepEqual(
      names,
      pairs.flatMap((pair) => [`${pair}.crt`, `${pair}.key`]),
    );
    for (const name of names) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
    assert.deepEqual(await loadCertificates(directory, ['localhost'], Date.now()), first);
  });

  it('replaces a pair that a crash left half-written', async () => {
    const first = await loadCertificates(parent, ['localhost'], Date.now());
    writeFileSync(join(parent, 'apiserver.key'), first.admin.privateKey);
    const second = await loadCertificates(parent, ['localhost'], Date.now());
    assert.equal(second.authority.certificate, first.authority.certificate);
    assert.notEqual(second.serving.certificate, first.serving.certificate);
    assert.equal(readFileSync(join(parent, 'apiserver.key'), 'utf8'), second.serving.privateKey);
  });
});
