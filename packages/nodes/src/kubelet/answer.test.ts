import assert from 'node:assert/strict';
import { duplexPair, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { drained, refuseUpgrade } from './answer.js';

it('a refused upgrade is an HTTP answer, after which the connection closes', async () => {
  const [client, server] = duplexPair();
  refuseUpgrade(server, 400, 'naïve', ['Sec-WebSocket-Version: 13']);
  assert.equal(
    await text(client),
    [
      'HTTP/1.1 400 Bad Request',
      'Sec-WebSocket-Version: 13',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Length: 6',
      'Connection: close',
      '',
      'naïve',
    ].join('\r\n'),
  );
});

describe('a writer', () => {
  it('goes on when its stream takes more', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    assert.equal(stream.write('ab'), false);
    let goesOn = false;
    const over = drained(stream).then(() => (goesOn = true));
    await settle();
    assert.equal(goesOn, false);
    stream.resume();
    await over;
    assert.deepEqual([stream.listenerCount('drain'), stream.listenerCount('close')], [0, 0]);
  });

  it('goes on when its stream is closed', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    stream.write('ab');
    const over = drained(stream);
    stream.destroy();
    await over;
    assert.equal(stream.destroyed, true);
  });
});
