import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTarget } from './path.js';

describe('the target of a request', () => {
  const targets: [target: string, path: string, query: string][] = [
    ['/api/v1/pods', '/api/v1/pods', ''],
    ['/api/v1/pods?watch=1&limit=2', '/api/v1/pods', 'watch=1&limit=2'],
    ['/a%2Fb/%C3%A9?', '/a/b/é', ''],
    ['/a?b=c?d', '/a', 'b=c%3Fd'],
    ['/a??b=c', '/a', '%3Fb=c'],
    ['*', '*', ''],
    ['https://host/api?limit=1', '/api', 'limit=1'],
    ['http://host?limit=1', '/', 'limit=1'],
    ['http://host', '/', ''],
  ];
  for (const [target, path, query] of targets) {
    it(`${target} has the path ${path} and the query '${query}'`, () => {
      const parsed = parseTarget(target);
      assert.equal(parsed.path, path);
      assert.equal(parsed.query.toString(), query);
    });
  }

  it('loses the pairs of its query that cannot be decoded, and no others', () => {
    assert.equal(parseTarget('/a?b=%zz&c=1&d;e=2&f=%4').query.toString(), 'c=1');
  });

  const refused: [target: string, message: RegExp][] = [
    ['api/v1', /^invalid URI for request$/],
    ['', /^invalid URI for request$/],
    ['/a%zz', /^invalid URL escape in the path: /],
    ['/a%C3', /^invalid URL escape in the path: /],
  ];
  for (const [target, message] of refused) {
    it(`is refused: '${target}'`, () => assert.throws(() => parseTarget(target), { code: 400, message }));
  }
});
