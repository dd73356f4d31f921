import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientUrl, servingHosts } from './address.js';

describe('addresses', () => {
  it('gives clients a reachable address', () => {
    assert.equal(clientUrl('127.0.0.1', 6443), 'https://127.0.0.1:6443');
    assert.equal(clientUrl('0.0.0.0', 1), 'https://127.0.0.1:1');
    assert.equal(clientUrl('::', 1), 'https://[::1]:1');
    assert.equal(clientUrl('2001:db8::5', 1), 'https://[2001:db8::5]:1');
  });

  it('covers the first address of each service range', () => {
    const hosts = servingHosts('127.0.0.1', '10.96.7.9/12, fd00::/112');
    for (const host of ['10.96.0.1', 'fd00::1']) assert.ok(hosts.includes(host), host);
  });

  it('covers every name of the server', () => {
    const hosts = servingHosts('192.0.2.7', '10.0.0.0/24');
    for (const host of [
      'localhost',
      '127.0.0.1',
      '::1',
      'kubernetes',
      'kubernetes.default.svc',
      '10.0.0.1',
      '192.0.2.7',
    ]) {
      assert.ok(hosts.includes(host), host);
    }
    assert.ok(!servingHosts('0.0.0.0', '10.0.0.0/24').includes('0.0.0.0'));
    assert.ok(servingHosts('0.0.0.0', '10.0.0.0/24', '192.0.2.8').includes('192.0.2.8'));
  });
});
