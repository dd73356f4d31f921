import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEndpoint } from './endpoint.js';

test('an endpoint has a scheme, a host and a port', () => {
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
