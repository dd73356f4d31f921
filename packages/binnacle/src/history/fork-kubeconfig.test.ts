import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeKubeconfig } from '../kubeconfig/index.js';
import { forkKubeconfig } from './fork-kubeconfig.js';

const sent = makeKubeconfig({
  server: 'https://127.0.0.1:7443',
  certificateAuthority: 'authority',
  clientCertificate: 'certificate',
  clientKey: 'key',
});

describe('the kubeconfig of a fork', () => {
  it('is what Binnacle sends', () => assert.equal(forkKubeconfig(sent), sent));

  it('names no program, file or proxy of the server', () => {
    const program = '    exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, interactiveMode: Never}\n';
    const files = '    tokenFile: /etc/passwd\n    client-key: /root/.ssh/id_rsa\n';
    const more = sent
      .replace('  user:\n', `  user:\n${program}${files}`)
      .replace('  cluster:\n', '  cluster:\n    proxy-url: http://127.0.0.1:1\n    insecure-skip-tls-verify: true\n');
    assert.match(more, /exec.*proxy-url|proxy-url.*exec/s);
    assert.equal(forkKubeconfig(more), sent);
  });

  for (const field of ['server', 'certificate-authority-data', 'client-certificate-data', 'client-key-data']) {
    it(`needs ${field}`, () => {
      const less = sent.replace(new RegExp(`    ${field}: .*\n`), '');
      assert.throws(() => forkKubeconfig(less), /without a URL, a certificate or a key$/);
    });
  }

  it('is refused if it is not a kubeconfig', () => assert.throws(() => forkKubeconfig('#!/bin/sh'), /kubeconfig/));
});
