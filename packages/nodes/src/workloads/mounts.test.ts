import assert from 'node:assert/strict';
import { it } from 'node:test';
import { below, localPaths } from './mounts.js';

const container = {
  name: 'c',
  volumeMounts: [
    { name: 'a', mountPath: '/etc/conf' },
    { name: 'b', mountPath: '/etc/conf/certs/' },
    { name: 'c', mountPath: '/a.b' },
  ],
};
const cases: Record<string, string> = {
  '/etc/conf': 'R/etc/conf',
  '--conf=/etc/conf/file': '--conf=R/etc/conf/file',
  '/etc/conf/certs/tls.crt': 'R/etc/conf/certs/tls.crt',
  'a:/etc/conf:/etc/conf/x,/a.b': 'a:R/etc/conf:R/etc/conf/x,R/a.b',
  '/etc/config': '/etc/config',
  '/x/etc/conf': '/x/etc/conf',
  '/axb': '/axb',
  'https://host/etc/conf': 'https://host/etc/conf',
};
for (const [text, local] of Object.entries(cases)) {
  it(`paths of mounts in ${text}`, () => assert.equal(localPaths(container, 'R')(text), local));
}

it('a container without mounts has no local paths', () => {
  assert.equal(localPaths({ name: 'c' }, 'R')('/etc/conf'), '/etc/conf');
});

it('no path leaves its folder', () => {
  assert.deepEqual(
    ['a/b', '/a', '../../a', '/../a/../..', ''].map((path) => below('/f', path)),
    ['/f/a/b', '/f/a', '/f/a', '/f/', '/f/'],
  );
});
