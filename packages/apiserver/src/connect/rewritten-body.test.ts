import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { messageOf } from '../testing/index.js';
import { isHtml, rewrittenBody } from './rewritten-body.js';

const PAGE = '<a href="/a">';
const REWRITTEN = '<a href="/p/a">';
const rules = { prefix: '/p', hosts: [] };
const same = (bytes: Buffer): Buffer => bytes;

function page(encoding: string, bytes: Buffer) {
  const message = messageOf({ headers: encoding === '' ? {} : { 'content-encoding': encoding } });
  message.removeAllListeners();
  message.unshift(bytes);
  return message;
}

describe('rewrittenBody', () => {
  for (const [encoding, encode, decode] of [
    ['', same, same],
    ['gzip', gzipSync, gunzipSync],
    ['deflate', deflateRawSync, inflateRawSync],
  ] as const) {
    it(`keeps the encoding ${JSON.stringify(encoding)}`, async () => {
      const body = rewrittenBody(page(encoding, encode(Buffer.from(PAGE))), rules);
      assert.ok(body);
      assert.equal(decode(await buffer(body)).toString(), REWRITTEN);
    });
  }

  it('is for known encodings alone', () => {
    assert.equal(rewrittenBody(page('br', Buffer.from('x')), rules), undefined);
  });

  it('fails when the page does', async () => {
    const broken = messageOf({ body: ['<p>', new Error('reset')] });
    const body = rewrittenBody(broken, rules);
    assert.ok(body);
    await assert.rejects(buffer(body));
    const garbled = rewrittenBody(page('gzip', Buffer.from('no gzip')), rules);
    assert.ok(garbled);
    await assert.rejects(buffer(garbled));
  });
});

describe('isHtml', () => {
  it('reads the media type alone', () => {
    const types = ['text/html', 'text/html; charset=utf-8', 'text/plain', undefined];
    assert.deepEqual(
      types.map((type) => isHtml(type === undefined ? {} : { 'content-type': type })),
      [true, true, false, false],
    );
  });
});
