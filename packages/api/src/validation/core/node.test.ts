import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeSpec } from '../../generated/types/core-v1.js';
import { texts } from '../rules.testing.js';
import { validateNodeStatusUpdate } from './node.js';

const metadata = { name: 'n' };

/** A write of the status checks what changes in the spec too, as upstream does. */
const errorsOf = (spec: NodeSpec, old: NodeSpec): string[] =>
  texts(validateNodeStatusUpdate({ metadata, spec }, { metadata, spec: old }));

describe('changes of a node', () => {
  const rows: readonly [what: string, spec: NodeSpec, old: NodeSpec, errors: string[]][] = [
    [
      'may not replace its prefix',
      { podCIDRs: ['10.0.1.0/24'] },
      { podCIDRs: ['10.0.0.0/24'] },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    ['may give it a prefix', { podCIDRs: ['10.0.1.0/24'] }, {}, []],
    [
      'may not replace its provider ID',
      { providerID: 'b' },
      { providerID: 'a' },
      ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
    ],
    ['may give it a provider ID', { providerID: 'b' }, {}, []],
    ['may not give it an external ID', { externalID: 'b' }, {}, ['spec.externalID: Forbidden: may not be updated']],
    ['may keep its external ID', { externalID: 'a' }, { externalID: 'a' }, []],
  ];
  for (const [what, spec, old, errors] of rows) it(what, () => assert.deepEqual(errorsOf(spec, old), errors));
});
