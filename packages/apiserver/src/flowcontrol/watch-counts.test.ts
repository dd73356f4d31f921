import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRequestInfo, parseTarget } from '../request/index.js';
import { WatchCounts } from './watch-counts.js';

function requestOf(target: string, method = 'GET') {
  const { path, query } = parseTarget(target);
  return { info: parseRequestInfo(method, path, query), query };
}

// Upstream: `TestRegisterWatch`, `TestGetInterestedWatchCount`, `TestGetInterestedWatchCountWithIndex`.
describe('WatchCounts', () => {
  it('counts watches of the object, its namespace, and all namespaces', () => {
    const counts = new WatchCounts();
    const watch = (path: string) => counts.add(requestOf(`${path}?watch=1`));
    watch('/api/v1/configmaps');
    watch('/api/v1/namespaces/n/configmaps');
    watch('/api/v1/namespaces/m/configmaps');
    counts.add(requestOf('/api/v1/namespaces/n/configmaps?watch=1&fieldSelector=metadata.name%3Da'));
    watch('/api/v1/secrets');
    const concerned = (path: string) => counts.concernedBy(requestOf(path, 'PUT').info);
    assert.deepEqual(
      ['n/configmaps/a', 'n/configmaps/b', 'o/configmaps/a', 'n/pods/a'].map((path) =>
        concerned(`/api/v1/namespaces/${path}`),
      ),
      [3, 2, 1, 0],
    );
  });

  it('forgets a watch that ends', () => {
    const counts = new WatchCounts();
    const ends = [1, 2].map(() => counts.add(requestOf('/api/v1/nodes?watch=1')));
    const { info } = requestOf('/api/v1/nodes/a', 'PUT');
    assert.equal(counts.concernedBy(info), 2);
    for (const end of ends) end();
    assert.equal(counts.concernedBy(info), 0);
  });

  it('leaves out watches of the pods of a node', () => {
    const counts = new WatchCounts();
    const of = (selector: string) => counts.add(requestOf(`/api/v1/pods?watch=1&fieldSelector=${selector}`));
    of('spec.nodeName%3Dn1');
    of('spec.nodeName%3D');
    of('spec.nodeName%21%3Dn1');
    of('spec.nodeName%3C');
    const { info } = requestOf('/api/v1/namespaces/n/pods/p', 'PUT');
    assert.equal(counts.concernedBy(info), 3);
  });
});
