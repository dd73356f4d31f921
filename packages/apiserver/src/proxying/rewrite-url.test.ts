import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rewriteUrl } from './rewrite-url.js';

const rules = { prefix: '/api/v1/namespaces/n/services/s/proxy', hosts: ['10.1.0.1:80', 'localhost:8001'] };

describe('rewriteUrl', () => {
  for (const [url, expected] of [
    ['/a/b?c=d#e', `${rules.prefix}/a/b?c=d#e`],
    ['/', `${rules.prefix}/`],
    ['http://10.1.0.1:80/a/', `${rules.prefix}/a/`],
    ['//localhost:8001/a', `${rules.prefix}/a`],
    [`${rules.prefix}/a`, `${rules.prefix}/a`],
    ['/a/../../b', '/api/v1/namespaces/n/services/s/b'],
  ] as const) {
    it(`leads ${url} through the proxy`, () => assert.equal(rewriteUrl(url, rules), expected));
  }

  it('gives links an origin', () => {
    const backend = { prefix: '', hosts: ['10.1.0.1:443'], origin: 'https://10.1.0.1:443' };
    for (const url of ['/a?b', '//10.1.0.1:443/a?b', 'http://10.1.0.1:443/a?b']) {
      assert.equal(rewriteUrl(url, backend), 'https://10.1.0.1:443/a?b');
    }
    for (const url of ['a', 'https://example.com/a']) assert.equal(rewriteUrl(url, backend), url);
  });

  for (const url of [
    'a/b',
    '',
    '#top',
    '?q',
    'https://example.com/a',
    '//example.com/a',
    'mailto:a@b',
    'javascript:x()',
    'http://10.1.0.1:80',
  ]) {
    it(`leaves ${JSON.stringify(url)}`, () => assert.equal(rewriteUrl(url, rules), url));
  }
});
