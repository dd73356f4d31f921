import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MapValue, type Value } from '../values.js';
import { URLS, UrlValue } from './url.js';

function call(name: string, url: UrlValue): Value | undefined {
  return URLS.find((overload) => overload.name === name)?.implementation(url);
}

function sizeOfQuery(text: string): number | undefined {
  const query = call('getQuery', new UrlValue(text));
  return query instanceof MapValue ? query.size : undefined;
}

test('a query of too many parameters is empty', () => {
  const parameters = Array.from({ length: 10_001 }, (_, index) => `p${index}`);
  assert.equal(sizeOfQuery(`http://a/?${parameters.slice(0, 10_000).join('&')}`), 10_000);
  assert.equal(sizeOfQuery(`http://a/?${parameters.join('&')}`), 0);
});

test('the path is escaped and the query read once', () => {
  const url = new UrlValue('http://a/x"" é😀/%20?b=1&b=2');
  assert.equal(call('getEscapedPath', url), '/x%22%22%20%C3%A9%F0%9F%98%80/%20');
  assert.equal(call('getQuery', url), call('getQuery', url));
  const long = new UrlValue(`http://a/${'😀"'.repeat(20_000)}`);
  assert.equal(call('getEscapedPath', long), `/${'%F0%9F%98%80%22'.repeat(20_000)}`);
});

test('a URL may have spaces in its path and query, and none in its host', () => {
  const isUrl = (text: string) => URLS.find(({ name }) => name === 'isURL')?.implementation(text);
  for (const text of ['http://a/b c?d e', '/a b', 'http://a/ ', 'urn:a b']) assert.equal(isUrl(text), true, text);
  for (const text of ['http://a b/', ' http://a/', '', 'a b']) assert.equal(isUrl(text), false, text);
});

test('a URL that a browser would repair is none, and escapes are read as Go reads them', () => {
  const value = (name: string, text: string) => call(name, new UrlValue(text));
  assert.throws(() => new UrlValue('http://evil.example\\@good.example/'), { name: 'UrlError' });
  assert.equal(value('getHostname', 'http://%C3%A9.example:80/'), 'é.example');
  assert.equal(value('getEscapedPath', 'mailto:a@b'), '');
  assert.equal(value('getEscapedPath', 'http://h/a%2Fb'), '/a%2Fb');
  assert.equal(value('getEscapedPath', 'http://h/a%2Fb c'), '/a/b%20c');
  assert.equal(sizeOfQuery('http://h/?a=1;b=2'), 0);
});
