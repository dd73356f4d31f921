import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nodeWarnings } from './node-warnings.js';

it('nodeWarnings tells of removed and unused fields, and of ambiguous ranges', () => {
  assert.deepEqual(nodeWarnings({}), []);
  const spec = { externalID: 'x', configSource: {}, podCIDRs: ['10.0.0.0/24', '10.0.0.1/24'] };
  assert.deepEqual(nodeWarnings({ spec }), [
    'spec.configSource: the feature is removed',
    'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    'spec.podCIDRs[1]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
  ]);
});
