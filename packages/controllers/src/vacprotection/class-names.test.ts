import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { classNamesOfClaim, classNamesOfVolume } from './class-names.js';

describe('the classes that claims and volumes keep', () => {
  for (const [what, spec, status, expected] of [
    ['none', {}, {}, []],
    ['an empty name', { volumeAttributesClassName: '' }, {}, []],
    ['the one it asks for', { volumeAttributesClassName: 'gold' }, {}, ['gold']],
    ['the one it has', {}, { currentVolumeAttributesClassName: 'gold' }, ['gold']],
    [
      'the one it is moved to',
      { volumeAttributesClassName: 'gold' },
      {
        currentVolumeAttributesClassName: 'gold',
        modifyVolumeStatus: { status: 'Pending', targetVolumeAttributesClassName: 'silver' },
      },
      ['gold', 'silver'],
    ],
  ] as const) {
    it(what, () =>
      assert.deepEqual(
        classNamesOfClaim({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: {}, spec, status }),
        expected,
      ),
    );
  }

  it('the one of a volume', () => {
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: {} } as const;
    assert.deepEqual(classNamesOfVolume(volume), []);
    assert.deepEqual(classNamesOfVolume({ ...volume, spec: { volumeAttributesClassName: 'gold' } }), ['gold']);
  });
});
