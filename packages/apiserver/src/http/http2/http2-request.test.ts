import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeaderList } from './header-decoder.js';
import { areTrailers, readRequest } from './http2-request.js';

const list = (fields: readonly string[], rest: Partial<HeaderList> = {}): HeaderList => ({
  fields,
  isWellFormed: true,
  isTooLarge: false,
  ...rest,
});
const get = [':method', 'GET', ':scheme', 'https', ':path', '/api?a=b', ':authority', 'host:1'];

describe('a request of HTTP/2', () => {
  it('has its headers as over HTTP/1.1', () => {
    const fields = ['host', 'other', 'x', 'a', 'cookie', 'a=1', 'authorization', 'first', '__proto__', 'p'];
    const more = ['x', ' b ', 'cookie', 'b=2', 'authorization', 'second', 'content-length', '7'];
    const request = readRequest(list([...get, ...fields, ...more]));
    assert.equal(request?.method, 'GET');
    assert.equal(request.path, '/api?a=b');
    assert.equal(request.contentLength, 7);
    assert.equal(request.problem, undefined);
    assert.deepEqual(request.fields, [...fields, ...more]);
    assert.deepEqual(Object.entries(request.headers), [
      ['host', 'host:1'],
      ['x', 'a,  b '],
      ['cookie', 'a=1; b=2'],
      ['authorization', 'first'],
      ['__proto__', 'p'],
      ['content-length', '7'],
    ]);
  });

  it('has the host of a header where it names no authority', () => {
    assert.equal(readRequest(list([...get.slice(0, 6), 'host', 'a']))?.headers.host, 'a');
    assert.equal(readRequest(list(get.slice(0, 6)))?.headers.host, undefined);
  });

  it('may be OPTIONS of all, or CONNECT', () => {
    assert.ok(readRequest(list([':method', 'OPTIONS', ':scheme', 'https', ':path', '*'])));
    assert.ok(readRequest(list([':method', 'CONNECT', ':authority', 'a:1'])));
  });

  for (const [what, fields] of [
    ['no method', get.slice(2)],
    ['an empty method', [':method', '', ...get.slice(2)]],
    ['no path', [...get.slice(0, 4), ...get.slice(6)]],
    ['a path of another form', [...get.slice(0, 4), ':path', 'https://a/api']],
    ['all of the server as its path', [...get.slice(0, 4), ':path', '*']],
    ['no scheme', [...get.slice(0, 2), ...get.slice(4)]],
    ['another scheme', [':method', 'GET', ':scheme', 'ftp', ':path', '/']],
    ['two paths', [...get, ':path', '/']],
    ['an unknown pseudo-header field', [...get, ':protocol', 'websocket']],
    ['the status of a response', [...get, ':status', '200']],
    ['a pseudo-header field behind others', [...get.slice(0, 6), 'x', 'y', ':authority', 'a']],
    ['a length that is not a number', [...get, 'content-length', '+1']],
    ['two lengths', [...get, 'content-length', '1', 'content-length', '1']],
    ['CONNECT with a path', [':method', 'CONNECT', ':authority', 'a:1', ':path', '/']],
    ['CONNECT to nothing', [':method', 'CONNECT']],
  ] as const) {
    it(`is malformed with ${what}`, () => {
      assert.equal(readRequest(list(fields)), undefined);
    });
  }

  it('is malformed with a malformed field, and refused with too many', () => {
    assert.equal(readRequest(list(get, { isWellFormed: false })), undefined);
    assert.equal(readRequest(list(get, { isTooLarge: true }))?.problem?.status, 431);
  });

  for (const [name, value, text] of [
    ['connection', 'close', 'request header "Connection" is not valid in HTTP/2'],
    ['transfer-encoding', 'chunked', 'request header "Transfer-Encoding" is not valid in HTTP/2'],
    ['te', 'gzip', 'request header "TE" may only be "trailers" in HTTP/2'],
  ] as const) {
    it(`is refused with ${name}`, () => {
      assert.deepEqual(readRequest(list([...get, name, value]))?.problem, { status: 400, text });
    });
  }

  it('may announce trailers', () => {
    assert.equal(readRequest(list([...get, 'te', 'trailers']))?.problem, undefined);
  });
});

it('trailers are well-formed, and have no pseudo-header fields', () => {
  assert.equal(areTrailers(list(['x', ':y'])), true);
  assert.equal(areTrailers(list(['x', 'y', ':path', '/'])), false);
  assert.equal(areTrailers(list(['x', 'y'], { isWellFormed: false })), false);
  assert.equal(areTrailers(list(['x', 'y'], { isTooLarge: true })), false);
});
