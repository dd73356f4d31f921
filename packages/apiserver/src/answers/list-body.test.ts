import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wholeBody } from '../http/index.js';
import { StoredObject } from '../storage/index.js';
import { configMap, testResource } from '../testing/index.js';
import { listBody } from './list-body.js';

const head = Buffer.from('{"items":[');
const tail = Buffer.from(']}\n');

/** ConfigMaps with this much data each. */
function stored(sizes: readonly number[]): StoredObject[] {
  const { codec } = testResource().storage;
  return sizes.map((size, index) => {
    const value = codec.encode(configMap(`object-${index}`, { data: { padding: 'x'.repeat(size) } }));
    const key = `/registry/configmaps/default/object-${index}`;
    return new StoredObject({ codec, key, revision: 10 ** index, value, isCanonical: true });
  });
}

const sizesOfData = [[], [0], [3], [100, 200], [300_000], [10, 700_000, 10], Array.from({ length: 9 }, () => 100_000)];

describe('listBody', () => {
  for (const sizes of sizesOfData) {
    it(`sends the list in pieces of bounded size: ${sizes.length} of ${sizes.slice(0, 3).join()}`, async () => {
      const body = await listBody(head, stored(sizes), tail);
      const whole = Buffer.from(wholeBody(body));
      const items = stored(sizes).map((object) => {
        const { kind: _kind, apiVersion: _version, ...item } = object.decode();
        return item;
      });
      assert.equal(whole.toString(), `{"items":${JSON.stringify(items)}}\n`);
      let largest = 0;
      let sent = 0;
      for (const piece of body.pieces()) {
        largest = Math.max(largest, piece.length);
        sent += piece.length;
      }
      assert.equal(sent, body.length);
      assert.ok(largest <= Math.max(256 * 1024, ...sizes.map((size) => size + 1000)));
    });
  }

  it('sends larger pieces only to a client that has read many', async () => {
    const body = await listBody(
      head,
      stored(Array.from({ length: 10 }, () => 1000)).flatMap((item) => Array.from({ length: 1000 }, () => item)),
      tail,
    );
    const sizes = Array.from(body.pieces(), (piece) => piece.length);
    const small = sizes.findIndex((size) => size > 64 * 1024);
    const sentBefore = sizes.slice(0, small).reduce((sum, size) => sum + size, 0);
    assert.ok(sentBefore >= 8_000_000, `${sentBefore} bytes in small pieces`);
    assert.ok(sizes.slice(small, -1).every((size) => size > 200_000 && size <= 256 * 1024));
  });

  it('yields to other work while it prepares objects, and fails before anything is sent', async () => {
    const { codec } = testResource().storage;
    const slow = Array.from({ length: 200 }, (_, index) => {
      const value = Buffer.from(
        `{"metadata":{"name":"a"},"kind":"ConfigMap","apiVersion":"v1","data":{"a":"${index}"}}`,
      );
      const key = `/registry/configmaps/default/${index}`;
      return new StoredObject({ codec, key, revision: 1, value, isCanonical: false });
    });
    assert.ok((await listBody(head, slow, tail)).length > 0);
    const [key, value] = ['/registry/configmaps/default/b', Buffer.from('{"a')];
    const unreadable = new StoredObject({ codec, key, revision: 1, value, isCanonical: false });
    await assert.rejects(listBody(head, [...slow, unreadable], tail));
  });
});
