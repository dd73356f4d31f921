import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { MemoryNetwork } from '../testing/index.js';
import { Listeners } from './listeners.js';

describe('listeners', () => {
  it('get connections on each of their ports until they close', async () => {
    const network = new MemoryNetwork();
    let greetings = 0;
    const listeners = await Listeners.open(
      '127.0.0.1',
      2,
      (socket) => void socket.write(`hello ${++greetings}`),
      network.createServer,
    );
    assert.deepEqual(listeners.ports, network.ports);
    const clients = listeners.ports.map((port) => network.connect(port));
    assert.deepEqual(
      clients.map((client) => String(client.read())),
      ['hello 1', 'hello 2'],
    );
    const closed = clients.map((client) => once(client, 'close'));
    await listeners.close();
    await Promise.all(closed);
    assert.deepEqual(network.ports, []);
  });

  it('are all closed if one of them fails', async () => {
    const network = new MemoryNetwork();
    network.problem = new Error('listen EADDRNOTAVAIL');
    await assert.rejects(
      Listeners.open('127.0.0.1', 2, () => undefined, network.createServer),
      network.problem,
    );
    assert.deepEqual(network.ports, []);
  });
});
