import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { findMatch, mismatchOf } from './match.js';
import { selectVolumes } from './selection.js';
import { claim, referringTo, volume } from './persistentvolume.testing.js';

const size = (storage: string) => ({ spec: { capacity: { storage } } });

describe('findMatch', () => {
  const wide = { spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] } };
  const gold = { matchLabels: { tier: 'gold' } };
  for (const [what, given, volumes, isDelayed, expected] of [
    ['no volume', claim('c'), [], false, undefined],
    ['the smallest that fits', claim('c'), [volume('a', size('10Gi')), volume('b', size('2Gi'))], false, 'b'],
    ['the first of equal ones', claim('c'), [volume('b'), volume('a')], false, 'a'],
    ['none that is too small', claim('c'), [volume('a', size('500Mi'))], false, undefined],
    ['none that is not available', claim('c'), [volume('a', { status: { phase: 'Released' } })], false, undefined],
    ['none of another class', claim('c'), [volume('a', { spec: { storageClassName: 'fast' } })], false, undefined],
    ['none in another mode', claim('c'), [volume('a', { spec: { volumeMode: 'Block' } })], false, undefined],
    ['none of others', claim('c'), [volume('a', { spec: { accessModes: ['ReadOnlyMany'] } })], false, undefined],
    ['fewest access modes first', claim('c'), [volume('a', wide), volume('b', size('5Gi'))], false, 'b'],
    ['more access modes if needed', claim('c'), [volume('a', wide)], false, 'a'],
    [
      'the selected',
      claim('c', { spec: { selector: gold } }),
      [volume('a'), volume('b', { metadata: { labels: { tier: 'gold' } } })],
      false,
      'b',
    ],
    ['any, with an empty selector', claim('c', { spec: { selector: {} } }), [volume('a')], false, 'a'],
    [
      'the reserved before a smaller',
      claim('c'),
      [volume('a'), volume('b', { spec: { ...size('9Gi').spec, ...referringTo('c') } })],
      false,
      'b',
    ],
    ['none reserved for others', claim('c'), [volume('a', { spec: referringTo('d') })], false, undefined],
    ['none of an earlier claim', claim('c'), [volume('a', { spec: referringTo('c', 'earlier') })], false, undefined],
    [
      'none being deleted',
      claim('c'),
      [volume('a', { metadata: { deletionTimestamp: '2027-01-01T00:00:00Z' } })],
      false,
      undefined,
    ],
    [
      'none with other attributes',
      claim('c'),
      [volume('a', { spec: { volumeAttributesClassName: 'gold' } })],
      false,
      undefined,
    ],
    ['delayed: no free volume', claim('c'), [volume('a')], true, undefined],
    ['delayed: the one the scheduler chose', claim('c'), [volume('a', { spec: referringTo('c', 'uid-c') })], true, 'a'],
  ] as const) {
    it(`${what}: ${expected ?? 'none'}`, () =>
      assert.equal(findMatch(given, finish(selectVolumes(given, volumes)), isDelayed)?.metadata.name, expected));
  }
});

describe('mismatchOf', () => {
  for (const [given, expected] of [
    [volume('a'), undefined],
    [volume('a', { metadata: { deletionTimestamp: '2027-01-01T00:00:00Z' } }), 'the volume is marked for deletion "a"'],
    [volume('a', size('1Mi')), 'requested PV is too small'],
    [volume('a', { spec: { storageClassName: 'fast' } }), 'storageClassName does not match'],
    [volume('a', { spec: { volumeAttributesClassName: 'gold' } }), 'volumeAttributesClassName does not match'],
    [volume('a', { spec: { volumeMode: 'Block' } }), 'incompatible volumeMode'],
    [volume('a', { spec: { accessModes: ['ReadOnlyMany'] } }), 'incompatible accessMode'],
  ] as const) {
    it(expected ?? 'nothing', () => assert.equal(mismatchOf(given, claim('c')), expected));
  }
});
