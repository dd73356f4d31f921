import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { makeTestCertificate } from '../testing/index.js';
import { Egress } from './egress.js';
import { EgressAgent, PlainEgressAgent } from './egress-agents.js';

describe('EgressAgent', () => {
  async function failure(agent: EgressAgent, host: string): Promise<Error> {
    const sent = request({ agent, host, port: 1 });
    const [error] = (await once(sent, 'error')) as [Error];
    return error;
  }

  it('refuses a denied address without a connection', async () => {
    const agent = new EgressAgent(new Egress());
    assert.equal(
      (await failure(agent, '169.254.169.254')).message,
      'dial tcp 169.254.169.254: the server may not connect to this network',
    );
  });

  it('refuses a name whose addresses are denied', async () => {
    const agent = new EgressAgent(new Egress(['127.0.0.0/8', '::1/128']));
    assert.match(
      (await failure(agent, 'localhost')).message,
      /^dial tcp .*: the server may not connect to this network$/,
    );
  });

  it('reads its certificates once for all connections', async () => {
    const agent = new EgressAgent(new Egress(), { ca: makeTestCertificate('/CN=ca').certificate });
    const options = { host: '127.0.0.1', port: 1 };
    const failures: unknown[] = [];
    const connect = (): void => {
      const socket = agent.createConnection({ ...options, ...agent.options }, () => undefined);
      socket?.on('error', (error) => failures.push(error));
    };
    connect();
    agent.options.cert = 'no certificate';
    connect();
    while (failures.length < 2) await loop();
    for (const failure of failures) assert.match(String(failure), /ECONNREFUSED/);
  });

  it('refuses requests that waited for a connection, too', async () => {
    const agent = new EgressAgent(new Egress(), { keepAlive: true, maxSockets: 1 });
    const errors = await Promise.all([1, 2, 3].map(() => failure(agent, 'fe80::1')));
    for (const { name } of errors) assert.equal(name, 'EgressError');
  });
});

describe('PlainEgressAgent', () => {
  it('refuses a denied address and a name whose addresses are denied', async () => {
    const agent = new PlainEgressAgent(new Egress(['127.0.0.0/8', '::1/128']));
    for (const host of ['169.254.169.254', 'localhost']) {
      const [error] = (await once(plainRequest({ agent, host, port: 1 }), 'error')) as [Error];
      assert.equal(error.name, 'EgressError', host);
    }
  });

  it('connects to the place of an address on this machine, and judges that', async () => {
    const local = (address: string) => (address === '10.250.0.2' ? '127.250.0.2' : undefined);
    const failure = async (egress: Egress) => {
      const agent = new PlainEgressAgent(egress);
      const [error] = (await once(plainRequest({ agent, host: '10.250.0.2', port: 1 }), 'error')) as [Error];
      return error.message;
    };
    const denied = 'dial tcp 127.250.0.2: the server may not connect to this network';
    assert.equal(await failure(new Egress(['127.0.0.0/8'], local)), denied);
    assert.equal(new Egress([], local).placeOf('10.250.0.2'), '127.250.0.2');
    assert.equal(new Egress([], local).placeOf('10.250.0.3'), '10.250.0.3');
  });
});
