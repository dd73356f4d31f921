import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Server } from 'node:https';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { connect } from 'node:tls';
import { settle, systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { isTurnOver } from '@binnacle/apimachinery/turns';
import { createIssuer, type Issuer } from '@binnacle/client/certificates';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import { MemoryNetwork } from '../testing/index.js';
import { kubeletServer, serveKubelets } from './serve-kubelets.js';

const pods = { find: () => undefined, ofNode: () => [] };
const address = '127.0.0.1';
const { signal } = new AbortController();

/** A cluster that trusts these clients, and in which only `jane` may do something. */
function clusterWith(data: JsonObject): ScriptedTransport {
  return new ScriptedTransport(({ path, body = '' }): ScriptedAnswer => {
    if (path.includes('/configmaps/')) return { object: { data } };
    const { spec } = JSON.parse(String(body)) as { readonly spec: JsonObject };
    return { object: { status: { allowed: spec['user'] === 'jane' } } };
  });
}

describe('the server of kubelets in memory', () => {
  let clients: Issuer;
  let server: Server;
  before(async () => {
    clients = await createIssuer('clients', systemClock.now());
    const cluster = clusterWith({ 'client-ca-file': clients.authority.certificate });
    const options = { pods, cluster, address, clock: systemClock, report: () => assert.fail() };
    server = await kubeletServer(options, () => ['node-0'], signal);
  });

  const get = async (user: string, path: string, issuer = clients): Promise<[number | undefined, string]> => {
    const [mine, theirs] = duplexPair();
    server.emit('connection', theirs);
    const { certificate: cert, privateKey: key } = issuer.issueClient({ commonName: user });
    // Clients do not verify a kubelet's certificate by default.
    const socket = connect({ socket: mine, rejectUnauthorized: false, cert, key });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ path, createConnection: () => socket }, resolve)
        .on('error', reject)
        .end();
    });
    return [response.statusCode, await text(response)];
  };

  it('admits the clients of the cluster, by their certificates', async () => {
    assert.deepEqual(await get('jane', '/healthz'), [200, 'ok']);
    const [code, message] = await get('joe', '/pods');
    assert.equal(code, 403);
    assert.match(message, /^Forbidden \(user=joe, verb=get, resource=nodes, subresource\(s\)=\[/);
    const stranger = await createIssuer('clients', systemClock.now());
    assert.deepEqual(await get('jane', '/healthz', stranger), [401, 'Unauthorized']);
  });

  it('goes through no second handshake', async () => {
    const [mine, theirs] = duplexPair();
    server.emit('connection', theirs);
    const socket = connect({ socket: mine, rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    const outcome = await new Promise<unknown>((resolve) => {
      socket.once('error', resolve);
      socket.renegotiate({}, resolve);
    });
    assert.match(String(outcome), /no renegotiation/);
    socket.destroy();
  });

  it('asks each second until the cluster answers', async () => {
    const clock = new VirtualClock(systemClock.now());
    const reports: string[] = [];
    const answers: ScriptedAnswer[] = [new Error('refused'), new Error('refused')];
    const cluster = new ScriptedTransport(() => answers.shift() ?? { object: { data: {} } });
    const options = { pods, cluster, address, clock, report: (error: unknown) => void reports.push(String(error)) };
    const made = kubeletServer(options, () => [], signal);
    await settle();
    await clock.advance(2000);
    assert.ok(await made);
    assert.deepEqual(reports, ['Error: refused', 'Error: refused']);
  });

  it('has a port for each node, and closes its connections', async () => {
    const network = new MemoryNetwork();
    const cluster = clusterWith({});
    const { createServer } = network;
    const options = { pods, cluster, address, clock: systemClock, report: () => assert.fail(), createServer };
    const nodes = Array.from({ length: 65 }, (_, index) => `node-${index}`);
    const kubelets = await serveKubelets({ ...options, nodes });
    const ports = nodes.map((node) => kubelets.portOf(node));
    assert.deepEqual([network.ports, ports[64]], [ports.slice(0, 64), ports[0]]);
    const socket = connect({ socket: network.connect(ports[1] ?? 0), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    await kubelets.close();
    await closed;
    assert.deepEqual(network.ports, []);
  });

  it('begins the handshakes of many connections in several turns of the loop', async (context) => {
    const network = new MemoryNetwork();
    const { createServer } = network;
    const options = {
      pods,
      cluster: clusterWith({}),
      address,
      clock: systemClock,
      report: () => assert.fail(),
      createServer,
    };
    const kubelets = await serveKubelets({ ...options, nodes: ['node-0'] });
    const open = () => connect({ socket: network.connect(kubelets.portOf('node-0') ?? 0), rejectUnauthorized: false });
    await once(open(), 'secureConnect');
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const secured: number[] = [];
    let turn = 0;
    for (let opened = 0; opened < 4; opened++) open().once('secureConnect', () => secured.push(turn));
    for (; secured.length < 4; turn++) {
      // Other work has used up each turn, so that one of them begins in each.
      isTurnOver();
      time += 3;
      await loop();
    }
    assert.equal(new Set(secured).size, 4, `in turns ${secured.join()}`);
    await kubelets.close();
  });

  it('does not start where the address cannot be listened on', async () => {
    const network = new MemoryNetwork();
    network.problem = new Error('listen EADDRNOTAVAIL');
    const { createServer } = network;
    const options = { pods, cluster: clusterWith({}), address, clock: systemClock, report: () => undefined };
    await assert.rejects(serveKubelets({ ...options, nodes: ['node-0'], createServer }), network.problem);
  });

  it('stops asking when the nodes stop', async () => {
    const clock = new VirtualClock(0);
    const cluster = new ScriptedTransport(() => new Error('refused'));
    const options = { pods, cluster, address, clock, report: () => undefined };
    // No port is opened for no nodes.
    const kubelets = await serveKubelets({ ...options, nodes: [] });
    await settle();
    await kubelets.close();
    await clock.advance(5000);
    assert.deepEqual([cluster.requests.length, kubelets.portOf('node-0')], [1, undefined]);
  });
});
