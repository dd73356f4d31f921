import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serveArguments, storeUrl } from './serve-arguments.js';

const INERT = ['--controllers=', '--scheduler=false'];
const nothing = { dataDirectory: undefined, exists: () => false };

describe('the command line of kube-apiserver', () => {
  it('becomes one of a server without control loops, unless it asks for them', () => {
    assert.deepEqual(serveArguments(['--authorization-mode=RBAC'], nothing), [
      'serve',
      '--authorization-mode=RBAC',
      ...INERT,
    ]);
    const asked = ['--controllers=*', '--scheduler'];
    assert.deepEqual(serveArguments(asked, nothing), ['serve', ...asked]);
  });

  it('keeps the data beside that of the included etcd, and passes the URLs of another on', () => {
    const args = ['--etcd-servers=http://127.0.0.1:1'];
    assert.deepEqual(serveArguments(args, { ...nothing, dataDirectory: '/e' }), [
      'serve',
      '--data-dir=/e/binnacle',
      ...INERT,
    ]);
    assert.deepEqual(serveArguments(args, nothing), ['serve', ...args, ...INERT]);
  });

  it('serves with the certificate of --cert-dir when there is one, and none is named', () => {
    const all = { ...nothing, exists: () => true };
    const files = ['--tls-cert-file=/c/apiserver.crt', '--tls-private-key-file=/c/apiserver.key'];
    assert.deepEqual(serveArguments(['--cert-dir=/c'], all), ['serve', ...files, ...INERT]);
    assert.deepEqual(serveArguments(['--cert-dir', '/c'], nothing), ['serve', ...INERT]);
    const own = ['--tls-cert-file', 'x', '--tls-private-key-file', 'y'];
    assert.deepEqual(serveArguments(['--cert-dir=/c', ...own], all), ['serve', ...own, ...INERT]);
  });

  it('names the store', () => {
    assert.equal(storeUrl(['--etcd-servers=http://a:1,http://b:1']), 'http://a:1');
    assert.equal(storeUrl(['--secure-port=1']), undefined);
  });
});
