import assert from 'node:assert/strict';
import { it } from 'node:test';
import { answer, describeWatchCacheModes, testResource } from '../testing/index.js';

describeWatchCacheModes('a list or watch', (mode) => {
  const cases: readonly (readonly [query: string, accept: string, code: number])[] = [
    ['?limit=x', 'text/plain', 406],
    ['?watch=1&timeoutSeconds=x', 'text/plain', 406],
    ['?watch=1&timeoutSeconds=x', 'application/yaml', 400],
    ['?watch=1', 'application/yaml', 406],
    ['?limit=x', 'application/yaml', 400],
  ];
  for (const [query, accept, code] of cases) {
    it(`${query} for ${accept} gets ${code}: the format is refused before the options, that of a stream after them`, async () => {
      await using resource = testResource(mode);
      const url = `/api/v1/namespaces/default/configmaps${query}`;
      const { status } = await answer(resource.endpoint, { method: 'GET', url, headers: { accept } });
      assert.equal(status, code);
    });
  }
});
