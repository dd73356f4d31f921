import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/api/types/core-v1';
import {
  cleanedPath,
  endpointChoices,
  isAddressOf,
  isGlobalUnicast,
  isKubeletAddress,
  podAddress,
  servicePortName,
} from './proxy-location.js';
import { parseTargetId } from './target-id.js';

describe('isGlobalUnicast', () => {
  for (const address of ['10.0.0.1', '8.8.8.8', 'fd00::1', '2001:db8::1']) {
    it(`permits ${address}`, () => assert.equal(isGlobalUnicast(address), true));
  }
  for (const address of [
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'ff02::1',
    '',
    'host',
  ]) {
    it(`refuses ${JSON.stringify(address)}`, () => assert.equal(isGlobalUnicast(address), false));
  }

  it('excludes loopback, which is permitted for kubelets', () => {
    assert.deepEqual(['127.0.0.9', '::1', '10.0.0.1', '169.254.1.1'].map(isKubeletAddress), [true, true, true, false]);
  });
});

describe('podAddress', () => {
  const pod = (ports: readonly number[], ...ips: string[]): Pod => ({
    spec: { containers: [{ name: 'c' }, { name: 'd', ports: ports.map((containerPort) => ({ containerPort })) }] },
    status: { podIPs: ips.map((ip) => ({ ip })) },
  });
  const addressOf = (id: string, target = pod([8080, 9], '10.1.0.1', 'fd00::1')) =>
    podAddress(target, id, parseTargetId(id, 'pod'));

  it('has the named port, the first one, or that of the scheme', () => {
    assert.deepEqual(addressOf('p:81'), { scheme: 'http', host: '10.1.0.1', port: 81 });
    assert.deepEqual(addressOf('https:p:'), { scheme: 'https', host: '10.1.0.1', port: 8080 });
    assert.deepEqual(addressOf('p', pod([], 'fd00::1')), { scheme: 'http', host: 'fd00::1', port: 80 });
    assert.equal(addressOf('https:p:', pod([], 'fd00::1')).port, 443);
  });

  it('refuses an address that belongs to no pod, and an invalid port', () => {
    assert.throws(() => addressOf('p', pod([])), { message: 'address not allowed', code: 400 });
    assert.throws(() => addressOf('p', pod([], '127.0.0.1')), { message: 'address not allowed' });
    for (const port of ['web', '0', '65536']) {
      assert.throws(() => addressOf(`p:${port}`), { message: `invalid pod request "p:${port}"`, code: 400 });
    }
  });
});

describe('the endpoints of a service', () => {
  const subset = {
    addresses: [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }],
    ports: [{ port: 80 }, { name: 'web', port: 8080 }],
  };

  it('are those with a port of the name', () => {
    const found = (name: string) => endpointChoices([subset, { ports: subset.ports }], name);
    assert.deepEqual(
      found('web').map(({ address, port }) => [address.ip, port]),
      [
        ['10.1.0.1', 8080],
        ['10.1.0.2', 8080],
      ],
    );
    assert.equal(found('')[0]?.port, 80);
    assert.deepEqual(found('other'), []);
  });

  it('count only as addresses of their pods', () => {
    const pod: Pod = { status: { podIPs: [{ ip: '10.1.0.1' }] } };
    assert.equal(isAddressOf(pod, { ip: '10.1.0.1' }), true);
    assert.equal(isAddressOf(pod, { ip: '10.1.0.2' }), false);
  });

  it('have the name of the port whose number a request names', () => {
    const service = { spec: { ports: [{ port: 80 }, { name: 'web', port: 8080 }] } };
    const nameOf = (id: string) => servicePortName(service, parseTargetId(id, 'service'));
    assert.deepEqual(['s:80', 's:8080'].map(nameOf), ['', 'web']);
    assert.throws(() => nameOf('s:9'), { message: 'no service port 9 found for service "s"', code: 503 });
  });
});

describe('cleanedPath', () => {
  for (const [path, cleaned] of [
    ['', ''],
    ['/', '/'],
    ['/a//b/../c', '/a/c'],
    ['/a/', '/a/'],
    ['/../../a', '/a'],
    ['/a/..', ''],
  ] as const) {
    it(`makes ${JSON.stringify(cleaned)} of ${JSON.stringify(path)}`, () => assert.equal(cleanedPath(path), cleaned));
  }
});
