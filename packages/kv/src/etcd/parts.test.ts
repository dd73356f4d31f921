import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEndpoint } from './connection/endpoint.js';
import { KeyOrder } from './key-order.js';
import { keyAfter, prefixRange, rangeFrom } from './messages/key-ranges.js';
import { hasReliableProgress } from './watch/versions.js';

test('endpoints: scheme, host and port', () => {
  const cases: readonly [string, boolean, string, boolean][] = [
    ['http://127.0.0.1:2379', true, 'dns:127.0.0.1:2379', false],
    ['https://etcd-0.etcd:80', false, 'dns:etcd-0.etcd:80', true],
    ['https://[::1]:2379/', false, 'dns:[::1]:2379', true],
    ['etcd', true, 'dns:etcd:2379', true],
    ['etcd:1', false, 'dns:etcd:1', false],
  ];
  for (const [text, secureByDefault, address, secure] of cases) {
    assert.deepEqual(parseEndpoint(text, secureByDefault), { address, secure });
  }
  for (const text of ['', 'ftp://etcd', 'http://', 'http://a/b', 'a b', 'a:99999', 'a:b', 'http://user@a', 'a,b']) {
    assert.throws(() => parseEndpoint(text, false), RangeError, text);
  }
});

test('key ranges: a prefix ends where its last byte is incremented', () => {
  assert.deepEqual(prefixRange('/a/'), { key: Buffer.from('/a/'), rangeEnd: Buffer.from('/a0') });
  assert.deepEqual(prefixRange('é').rangeEnd, Buffer.from([0xc3, 0xaa]));
  assert.deepEqual(prefixRange('\u{10ffff}').rangeEnd, Buffer.from([0xf4, 0x8f, 0xbf, 0xc0]));
  assert.deepEqual(prefixRange('\u007f').rangeEnd, Buffer.from([0x80]));
  assert.deepEqual(prefixRange(''), { key: Buffer.from([0]), rangeEnd: Buffer.from([0]) });
});

test('key ranges: the rest of a range', () => {
  const range = prefixRange('/b/');
  assert.deepEqual(rangeFrom(range, Buffer.from('/a')), range);
  assert.deepEqual(rangeFrom(range, Buffer.from('/b/x')), { key: Buffer.from('/b/x'), rangeEnd: range.rangeEnd });
  assert.equal(rangeFrom(range, Buffer.from('/b0')), undefined);
  assert.equal(rangeFrom(range, Buffer.from('/c')), undefined);
  assert.deepEqual(rangeFrom(prefixRange(''), Buffer.from('/c'))?.key, Buffer.from('/c'));
  assert.deepEqual(keyAfter('/a'), Buffer.from('/a\0'));
});

test('versions: which answer progress requests correctly', () => {
  const yes = ['3.4.31', '3.4.40', '3.5.13', '3.5.21', '3.6.0', '3.6.0-rc.1', '4.0.0', 'v3.5.13'];
  const no = ['3.4.23', '3.4.30', '3.5.0', '3.5.12', '3.3.31', '2.9.99', '', 'unknown', '3.5'];
  for (const version of yes) assert.equal(hasReliableProgress(version), true, version);
  for (const version of no) assert.equal(hasReliableProgress(version), false, version);
});

test('key order: calls on one key run in sequence, others concurrently, also after failures', async () => {
  const order = new KeyOrder();
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const step = (name: string) => async (): Promise<string> => {
    log.push(`begin ${name}`);
    await new Promise<void>((resolve) => gates.push(resolve));
    log.push(`end ${name}`);
    if (name === 'a1') throw new Error(name);
    return name;
  };
  const results = [order.run('a', step('a1')), order.run('a', step('a2')), order.run('b', step('b1'))];
  const settled = Promise.allSettled(results);
  assert.deepEqual(log, ['begin a1', 'begin b1']);
  while (gates.length > 0) {
    gates.shift()?.();
    await new Promise(setImmediate);
  }
  assert.deepEqual(log, ['begin a1', 'begin b1', 'end a1', 'begin a2', 'end b1', 'end a2']);
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});
