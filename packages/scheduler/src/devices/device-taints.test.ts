import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceTaint, DeviceToleration } from '@binnacle/client/kinds/resource/v1';
import { preventsAllocation } from './device-taints.js';

describe('a taint of a device', () => {
  const taint: DeviceTaint = { key: 'k', value: 'v', effect: 'NoSchedule' };
  for (const [what, tainted, tolerations, prevents] of [
    ['keeps requests away', taint, [], true],
    ['keeps pods from running', { ...taint, effect: 'NoExecute' }, [], true],
    ['with another effect is not an obstacle', { ...taint, effect: 'None' }, [], false],
    ['is tolerated by its key', taint, [{ key: 'k', operator: 'Exists' }], false],
    ['is tolerated by its key and value', taint, [{ key: 'k', value: 'v' }], false],
    ['is not tolerated with another value', taint, [{ key: 'k', value: 'w' }], true],
    ['is not tolerated with another key', taint, [{ key: 'l', operator: 'Exists' }], true],
    ['is not tolerated with another effect', taint, [{ operator: 'Exists', effect: 'NoExecute' }], true],
    ['is tolerated with all others', taint, [{ operator: 'Exists' }], false],
  ] satisfies readonly [string, DeviceTaint, readonly DeviceToleration[], boolean][]) {
    it(what, () => assert.equal(preventsAllocation({ name: 'd', taints: [tainted] }, tolerations), prevents));
  }
});
