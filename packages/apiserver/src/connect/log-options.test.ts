import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readLogOptions } from './log-options.js';

const read = (query: string) => readLogOptions(new URLSearchParams(query), 'p');

describe('readLogOptions', () => {
  for (const [query, kubelet] of [
    ['', ''],
    ['follow=true&previous=1&timestamps=&pretty=true', 'follow=true&previous=true&timestamps=true'],
    ['follow=false&tailLines=0&limitBytes=7&sinceSeconds=9', 'limitBytes=7&sinceSeconds=9&tailLines=0'],
    ['sinceTime=2026-01-02T03:04:05.678%2B01:00', 'sinceTime=2026-01-02T02%3A04%3A05Z'],
    ['sinceTime=null', 'sinceTime=0001-01-01T00%3A00%3A00Z'],
  ] as const) {
    it(`tells the kubelet ${kubelet} for ${query}`, () => assert.equal(read(query).query, kubelet));
  }

  it('sends neither the container nor the choice to skip verification to the kubelet', () => {
    assert.deepEqual(read('container=c&insecureSkipTLSVerifyBackend=true'), {
      container: 'c',
      insecureSkipTLSVerifyBackend: true,
      query: '',
    });
  });

  it('refuses an invalid time', () => {
    assert.throws(() => read('sinceTime=yesterday'), { code: 400 });
  });
});
