import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { refuseUnparsed } from './parse-refusal.js';

test('a request that cannot be parsed is answered before the connection closes', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  for (const [code, expected] of [
    ['HPE_INVALID_METHOD', '400 Bad Request'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ] as const) {
    const socket = new PassThrough({ autoDestroy: false });
    const received = text(socket);
    refuseUnparsed(Object.assign(new Error(), { code }), socket);
    assert.equal(await received, `HTTP/1.1 ${expected}\r\nConnection: close\r\n\r\n`);
    assert.equal(socket.destroyed, false);
    context.mock.timers.tick(1000);
    assert.equal(socket.destroyed, true);
  }
});
