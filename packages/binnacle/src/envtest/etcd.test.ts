import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEtcdArguments } from './etcd.js';

describe('the included etcd', () => {
  it('reads the arguments of envtest', () => {
    const told = ['--data-dir=/d', '--listen-client-urls=http://[::1]:23', '--listen-peer-urls=http://localhost:0'];
    assert.deepEqual(readEtcdArguments(told), { dataDirectory: '/d', host: '::1', port: 23 });
    assert.deepEqual(readEtcdArguments([]), { dataDirectory: 'default.etcd', host: 'localhost', port: 2379 });
    for (const url of ['https://127.0.0.1:1', 'nonsense', '']) {
      assert.throws(() => readEtcdArguments([`--listen-client-urls=${url}`]), /give a URL such as http:/);
    }
  });
});
