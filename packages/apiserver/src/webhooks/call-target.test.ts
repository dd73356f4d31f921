import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { targetOf } from './call-target.js';

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
