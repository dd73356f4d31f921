import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { it } from 'node:test';
import { systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import { CollectorClient } from './collector-client.js';

it('gives up all messages 1.5 s after the end has begun', { timeout: 600_000 }, async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  // gRPC compares deadlines with the machine's clock.
  const clock = new VirtualClock(systemClock.now() + 3_600_000);
  const client = new CollectorClient(`127.0.0.1:${port}`, clock);
  const connected = once(silent, 'connection');
  const underWay = client.export(Buffer.from('spans'));
  const failed = assert.rejects(underWay, { code: 1 });
  await connected;
  client.endSoon(1500);
  await clock.advance(1500);
  await failed;
  await assert.rejects(client.export(Buffer.from('more spans')), { message: 'the server has stopped' });
  await client.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});
