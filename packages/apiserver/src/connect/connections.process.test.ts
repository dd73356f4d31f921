import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { after, before, describe, it } from 'node:test';
import { systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import { Egress } from '../egress/index.js';
import { BackendCall } from '../proxying/index.js';
import { makeTestCertificate, type TestCertificate } from '../testing/index.js';
import { Connections, type KubeletTrust } from './connections.js';
import type { Destination } from './destination.js';

let kubelet: Server;
let pod: Server;
let serving: TestCertificate;
let client: TestCertificate;

const listener: RequestListener = ({ socket }, response) => {
  const shown = socket instanceof TLSSocket ? socket.getPeerCertificate().subject : undefined;
  response.end(shown === undefined ? 'nobody' : shown.CN);
};

async function listening(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

before(async () => {
  serving = makeTestCertificate('/CN=kubelet');
  client = makeTestCertificate('/CN=server');
  const { certificate: cert, privateKey: key } = serving;
  kubelet = await listening(createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, listener));
  pod = await listening(createPlainServer(listener));
});
after(() => {
  kubelet.close();
  pod.close();
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Sends a request and returns the backend's answer: the name in the client certificate that it got. */
async function seen(
  to: Partial<Destination>,
  trust: Partial<KubeletTrust> = {},
  { egress = new Egress(), clock = systemClock } = {},
): Promise<string> {
  const kubelets = { client, authority: undefined, timeoutMs: 5000, ...trust };
  const connections = new Connections({ egress, kubelets, clock });
  const destination: Destination = {
    scheme: 'https',
    host: '127.0.0.1',
    port: portOf(kubelet),
    path: '',
    query: '',
    trust: 'kubelet',
    ...to,
  };
  const { signal } = new AbortController();
  const call = new BackendCall(() => connections.open(destination, { method: 'GET', headers: {}, signal }));
  try {
    const { message } = await call.send(undefined);
    let text = '';
    for await (const piece of message as AsyncIterable<Buffer>) text += piece.toString();
    return text;
  } finally {
    connections.close();
  }
}

describe('connections', () => {
  it('show the client certificate to kubelets, and to no one else', async () => {
    assert.equal(await seen({}), 'server');
    assert.equal(await seen({ trust: 'unverified kubelet' }), 'server');
    assert.equal(await seen({ trust: 'anyone' }), 'nobody');
    assert.equal(await seen({ scheme: 'http', port: portOf(pod), trust: 'anyone' }), 'nobody');
  });

  it('verify kubelets if there is an authority, and no one else', async () => {
    assert.equal(await seen({}, { authority: serving.certificate }), 'server');
    const other = { authority: client.certificate };
    await assert.rejects(seen({}, other), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.equal(await seen({ trust: 'unverified kubelet' }, other), 'server');
    assert.equal(await seen({ trust: 'anyone' }, other), 'nobody');
  });

  it('lead to no denied network', async () => {
    const egress = new Egress(['127.0.0.0/8']);
    for (const scheme of ['http', 'https'] as const) {
      await assert.rejects(seen({ scheme }, {}, { egress }), { name: 'EgressError' });
      await assert.rejects(
        seen({ scheme, host: 'localhost' }, {}, { egress: new Egress(['127.0.0.0/8', '::1/128']) }),
        {
          name: 'EgressError',
        },
      );
    }
  });

  it('give up when connecting takes too long', async () => {
    const silent = await listening(createTcpServer());
    const clock = new VirtualClock();
    const accepted = once(silent, 'connection');
    const failed = assert.rejects(seen({ port: portOf(silent) }, { timeoutMs: 1000 }, { clock }), {
      message: 'dial tcp: i/o timeout',
    });
    await accepted;
    await clock.advance(1000);
    await failed;
    silent.close();
  });
});
