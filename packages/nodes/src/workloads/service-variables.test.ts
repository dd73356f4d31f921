import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Service } from '@binnacle/client/kinds/core/v1';
import { serviceVariables } from './service-variables.js';

const service = (name: string): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: {
    ports: [
      { port: 53, name: 'dns', protocol: 'UDP' },
      { port: 80, name: 'web-ui' },
    ],
  },
});

it('a process has variables for the TCP ports of services that answer on this machine', () => {
  const variables = serviceVariables([service('my-web'), service('silent')], ({ metadata }, port) =>
    metadata.name === 'silent' ? undefined : { host: '127.0.0.9', port: port + 1 },
  );
  assert.deepEqual(Object.fromEntries(variables), {
    MY_WEB_SERVICE_HOST: '127.0.0.9',
    MY_WEB_SERVICE_PORT: '81',
    MY_WEB_PORT: 'tcp://127.0.0.9:81',
    MY_WEB_SERVICE_PORT_WEB_UI: '81',
    MY_WEB_PORT_80_TCP: 'tcp://127.0.0.9:81',
    MY_WEB_PORT_80_TCP_PROTO: 'tcp',
    MY_WEB_PORT_80_TCP_PORT: '81',
    MY_WEB_PORT_80_TCP_ADDR: '127.0.0.9',
  });
});
