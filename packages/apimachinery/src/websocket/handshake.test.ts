import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { openingAnswer } from './handshake.js';

it('an answer accepts the key of the client, as in RFC 6455, and names the protocol', () => {
  const sha1 = (text: string): string => createHash('sha1').update(text).digest('base64');
  const head =
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n';
  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  assert.equal(openingAnswer(key, 'chat', sha1), `${head}Sec-WebSocket-Protocol: chat\r\n\r\n`);
  for (const none of [undefined, '']) assert.equal(openingAnswer(key, none, sha1), `${head}\r\n`);
});
