import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parametersOf, parseRequestUri, parseUrl, requestUriOf, splitHost, UrlError } from './url.js';

describe('URLs, as Go reads them', () => {
  const hosts: readonly (readonly [url: string, host: string, path: string, query: string])[] = [
    ['HTTP://u:p@h.example:80/a b?c#d', 'h.example:80', '/a b', 'c'],
    ['http://%C3%A9.example', 'é.example', '', ''],
    ['http://[fe80::1%25en%20]:', '[fe80::1%en ]:', '', ''],
    ['http://[::ffff:1.2.3.4]/', '[::ffff:1.2.3.4]', '/', ''],
    ['pg://a:1,b:2/x', 'a:1,b:2', '/x', ''],
    ['mailto:a@b', '', '', ''],
    ['http:', '', '', ''],
    ['///x', '', '///x', ''],
    ['//h/x', 'h', '/x', ''],
    ['*', '', '*', ''],
  ];
  for (const [text, host, path, query] of hosts) {
    it(`reads ${text}`, () => {
      const url = parseUrl(text);
      assert.deepEqual([url.host, url.path, url.query], [host, path, query]);
    });
  }

  const refused: readonly (readonly [url: string, reason: string])[] = [
    ['', 'empty url'],
    ['a', 'invalid URI for request'],
    [':a', 'missing protocol scheme'],
    ['http://h/\n', 'net/url: invalid control character in URL'],
    ['http://h/%zz', 'invalid URL escape "%zz"'],
    ['http://h/%', 'invalid URL escape "%"'],
    ['http://evil.example\\@good.example/', 'net/url: invalid userinfo'],
    ['http://good.example\\.evil.example/', 'invalid character "\\\\" in host name'],
    ['http://h#f', 'invalid character "#" in host name'],
    ['http://%41/', 'invalid URL escape "%41"'],
    ['http://a:1:2', 'invalid port ":1:2" after host'],
    ['http://a:b', 'invalid port ":b" after host'],
    ['http://a[::1]', 'invalid IP-literal'],
    ['http://[1.2.3.4]', 'invalid IP-literal'],
    ['http://[::1', "missing ']' in host"],
    ['http://[::1%25%00]', 'invalid URL escape "%00"'],
  ];
  for (const [text, reason] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseRequestUri(text), new UrlError(`parse ${JSON.stringify(text)}: ${reason}`));
      assert.equal(requestUriOf(text), undefined);
    });
  }

  it('knows fragments and relative paths only outside of requests', () => {
    assert.equal(parseUrl('http://h#%41').fragment, '%41');
    assert.throws(() => parseUrl('http://h#%4'), UrlError);
    assert.equal(parseUrl('a/b').path, 'a/b');
    assert.throws(() => parseUrl('a:/b%zz'), UrlError);
    assert.throws(() => parseUrl('1:2'), UrlError);
    assert.equal(parseRequestUri('//h/x').host, '');
  });

  it('splits a host', () => {
    assert.deepEqual(splitHost('[::1]:80'), { hostname: '::1', port: '80' });
    assert.deepEqual(splitHost('[::1]'), { hostname: '::1', port: '' });
    assert.deepEqual(splitHost('h:'), { hostname: 'h', port: '' });
  });

  it('leaves malformed parameters out', () => {
    assert.deepEqual(
      [...parametersOf('?a=1&b;c=2&d=%zz&&e+f=%2B+&g&h=1=2')],
      [
        ['?a', '1'],
        ['e f', '+ '],
        ['g', ''],
        ['h', '1=2'],
      ],
    );
  });
});
