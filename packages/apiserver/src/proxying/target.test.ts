import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encodeTarget } from './target.js';

it('encodeTarget: escapes the path and sorts the query as Go does', () => {
  const cases: readonly (readonly [path: string, query: string, url: string])[] = [
    ['/apis/g/v1/things', '', '/apis/g/v1/things'],
    ['/apis/g/v1/a b', 'limit=5&labelSelector=a%3Db', '/apis/g/v1/a%20b?labelSelector=a%3Db&limit=5'],
    ["/a:b@c$&+,;='()*!~", '', '/a:b@c$&+,;=%27%28%29%2A%21~'],
    ['/a%2Fb?c#d', '', '/a%252Fb%3Fc%23d'],
    ['/ü\r\n', 'k=ü v&k=2&a=*~', '/%C3%BC%0D%0A?a=%2A~&k=%C3%BC+v&k=2'],
  ];
  for (const [path, query, url] of cases) assert.equal(encodeTarget(path, new URLSearchParams(query)).url, url);
});
