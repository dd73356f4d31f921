import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNodeReady, nodeReference } from './nodes.js';

const head = { apiVersion: 'v1', kind: 'Node' } as const;

for (const [what, conditions, expected] of [
  ['no conditions', undefined, false],
  ['another condition', [{ type: 'DiskPressure', status: 'True' }], false],
  ['a silent kubelet', [{ type: 'Ready', status: 'Unknown' }], false],
  ['a ready kubelet', [{ type: 'Ready', status: 'True' }], true],
] as const) {
  it(`a node with ${what} is ${expected ? '' : 'not '}ready`, () => {
    assert.equal(
      isNodeReady({ ...head, metadata: {}, status: conditions === undefined ? {} : { conditions } }),
      expected,
    );
  });
}

it('the reference to a node has no version', () => {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '7' };
  assert.deepEqual(nodeReference({ ...head, metadata }), { ...head, name: 'a', uid: 'u' });
});
