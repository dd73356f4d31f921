import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Volume } from '@binnacle/client/kinds/core/v1';
import { Disks } from './disks.js';

it('reads each monitor of an RBD image once', () => {
  let reads = 0;
  const rbd = (prefix: string): Volume => {
    const monitors = Array.from({ length: 1000 }, (_, index) => `${prefix}${index}`);
    const counted = new Proxy(monitors, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        const value: unknown = Reflect.get(target, key, receiver);
        return value;
      },
    });
    return { name: 'v', rbd: { image: 'i', monitors: counted } };
  };
  assert.equal(new Disks([rbd('a')]).excludeOneOf([rbd('b')]), false);
  assert.equal(reads, 2000);
  assert.equal(new Disks([rbd('a')]).excludeOneOf([rbd('a')]), true);
});

it('one volume that writes excludes readers of the same disk, whatever their order', () => {
  const disk = (readOnly: boolean): Volume => ({ name: 'v', gcePersistentDisk: { pdName: 'd', readOnly } });
  for (const volumes of [
    [disk(true), disk(false)],
    [disk(false), disk(true)],
  ]) {
    assert.equal(new Disks(volumes).excludeOneOf([disk(true)]), true);
  }
  assert.equal(new Disks([disk(true)]).excludeOneOf([disk(true)]), false);
});
