import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redirectedTarget, targetOf } from './call-target.js';

const service = { name: 'hook', namespace: 'ours' };

describe('the URL of a webhook', () => {
  const cases: [name: string, config: Parameters<typeof targetOf>[0], url: string][] = [
    ['a url', { url: 'https://example.com:8443/a/b' }, 'https://example.com:8443/a/b?timeout=1s'],
    ['a url without a path', { url: 'https://example.com' }, 'https://example.com/?timeout=1s'],
    ['two slashes, as of envtest', { url: 'https://127.0.0.1:9//a//b' }, 'https://127.0.0.1:9/a/b?timeout=1s'],
    ['a slash at the end', { url: 'https://example.com/a/' }, 'https://example.com/a?timeout=1s'],
    ['a service', { service }, 'https://hook.ours.svc:443/?timeout=1s'],
    ['a path without a slash', { service: { ...service, path: 'a//b/' } }, 'https://hook.ours.svc:443/a/b?timeout=1s'],
  ];
  for (const [name, config, url] of cases) {
    it(`has ${name}`, () => {
      const target = targetOf(config, '?timeout=1s');
      assert.equal(target.url, url);
      assert.ok(url.endsWith(target.path));
    });
  }
});

describe('the target of a redirect', () => {
  const target = targetOf({ service: { ...service, path: 'a/b' } }, '?timeout=1s');
  const cases: [location: string, path: string][] = [
    ['/c', '/c'],
    ['c?d=e', '/a/c?d=e'],
    ['https://hook.ours.svc:443/c', '/c'],
    ['//hook.ours.svc/c', '/c'],
  ];
  for (const [location, path] of cases) {
    it(`is ${path} for ${location}, at the same host`, () => {
      const url = `https://hook.ours.svc${path}`;
      assert.deepEqual(redirectedTarget(target, location), { ...target, url, path });
    });
  }

  it('is no other host, scheme or port', () => {
    for (const location of ['https://x/', '//x/', 'http://hook.ours.svc/', 'https://hook.ours.svc:8443/']) {
      assert.throws(() => redirectedTarget(target, location), /is not followed: it is another host$/);
    }
  });
});
