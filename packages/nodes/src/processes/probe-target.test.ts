import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Probe } from '@binnacle/client/kinds/core/v1';
import { type ProbeTarget, probeTarget } from './probe-target.js';

const container = { ports: [{ name: 'http', containerPort: 8080 }] };
const cases: Record<string, [Probe, ProbeTarget]> = {
  'a command': [{ exec: { command: ['a'] } }, { kind: 'exec', command: ['a'] }],
  'a connection': [{ tcpSocket: { port: 'http' } }, { kind: 'tcp', host: '127.250.0.2', port: 8080 }],
  'a request': [
    { httpGet: { port: 'http', path: 'a?b', httpHeaders: [{ name: 'x', value: 'y' }] } },
    { kind: 'http', url: 'http://127.250.0.2:8080/a?b', headers: [['x', 'y']] },
  ],
  'a request to another host': [
    { httpGet: { port: 443, scheme: 'HTTPS', host: '::1' } },
    { kind: 'http', url: 'https://[::1]:443/', headers: [] },
  ],
  'a port by its number as text': [{ tcpSocket: { port: '80' } }, { kind: 'tcp', host: '127.250.0.2', port: 80 }],
  'an unknown port': [{ tcpSocket: { port: 'none' } }, { kind: 'unsupported', message: `couldn't find port: "none"` }],
  gRPC: [{ grpc: { port: 1 } }, { kind: 'grpc', host: '127.250.0.2', port: 1, service: '' }],
  'gRPC to a service': [
    { grpc: { port: 1, service: 's' } },
    { kind: 'grpc', host: '127.250.0.2', port: 1, service: 's' },
  ],
  nothing: [{}, { kind: 'unsupported', message: 'the probe has no action' }],
};
for (const [title, [probe, target]] of Object.entries(cases)) {
  it(`a probe with ${title}`, () => assert.deepEqual(probeTarget(probe, container, '127.250.0.2'), target));
}
