import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headProblem } from './request-head.js';

const LIMIT = 10;

test('the head of an HTTP/1.1 request', () => {
  const lines = (count: number): string[] => Array.from({ length: 2 * count }, () => 'a');
  const cases: readonly [string[], '1.0' | '1.1', string | undefined][] = [
    [['Host', 'localhost:6443'], '1.1', undefined],
    [['hOST', ''], '1.1', undefined],
    [[], '1.0', undefined],
    [[], '1.1', '400 Bad Request: missing required Host header'],
    [['X-Host', 'a'], '1.1', '400 Bad Request: missing required Host header'],
    [['Host', 'a', 'X', 'Host', 'host', 'a'], '1.1', '400 Bad Request'],
    [['Host', 'a', 'Host', 'b'], '1.0', '400 Bad Request'],
    [['Host', 'a/b'], '1.1', '400 Bad Request: malformed Host header'],
    [['Host', 'a b'], '1.1', '400 Bad Request: malformed Host header'],
    [['Host', 'ä'], '1.1', '400 Bad Request: malformed Host header'],
    [[...lines(9), 'Host', 'a'], '1.1', undefined],
    [[...lines(10), 'Host', 'a'], '1.1', '431 Request Header Fields Too Large'],
  ];
  for (const [rawHeaders, httpVersion, text] of cases) {
    const problem = headProblem({ rawHeaders, httpVersion }, LIMIT);
    assert.equal(problem?.text, text);
    assert.equal(problem?.status, text === undefined ? undefined : Number(text.slice(0, 3)));
  }
});
