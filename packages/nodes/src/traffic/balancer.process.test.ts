import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { Balancer } from './balancer.js';
import { answerAs } from './traffic.testing.js';

const BACKEND = '127.0.0.1';
const HOST = '127.251.200.7';
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a balancer of this machine', { skip: process.platform !== 'linux' && 'one loopback address' }, () => {
  const servers: Server[] = [];
  before(async () => {
    for (const name of ['a', 'b']) {
      const server = createServer({ allowHalfOpen: true }, (socket) => answerAs(name, socket)).listen(0, BACKEND);
      await once(server, 'listening');
      servers.push(server);
    }
  });
  after(() => servers.forEach((server) => server.close()));

  it('listens as its plan says, and passes connections on', async () => {
    const reports: unknown[] = [];
    const balancer = new Balancer({ clock: systemClock, report: (error) => reports.push(error) });
    const endpoints = servers.map((server) => {
      return { host: BACKEND, port: portOf(server), isReady: true, isEnding: false };
    });
    // No other socket has this address, so a port of a backend is free here.
    const place = { host: HOST, port: portOf(servers[0] ?? createServer()) };
    const ask = async (): Promise<string> => {
      const socket = connect(place.port, place.host);
      await once(socket, 'connect');
      socket.end('hi');
      return text(socket);
    };
    const service = { place, name: 'n/s:', endpoints, isLocal: false, affinity: undefined };
    await balancer.serve({ services: [service], health: [], nodes: [] });
    assert.deepEqual([await ask(), await ask()], ['a hi', 'b hi']);
    await balancer.serve({ services: [], health: [], nodes: [] });
    await assert.rejects(ask(), { code: 'ECONNREFUSED' });
    balancer.close();
    assert.deepEqual(reports, []);
  });
});
