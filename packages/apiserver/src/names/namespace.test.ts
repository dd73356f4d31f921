import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { checkNamespace, placeInNamespace } from './namespace.js';

describe('placeInNamespace', () => {
  for (const [given, namespace, expected] of [
    [undefined, 'team', 'team'],
    ['', 'team', 'team'],
    ['team', 'team', 'team'],
    ['other', 'team', undefined],
    ['other', '', ''],
    [undefined, '', ''],
  ] as const) {
    it(`${given ?? 'no namespace'} at ${namespace || 'a cluster-scoped URL'}: ${expected ?? 'refused'}`, () => {
      const metadata: ObjectMeta = given === undefined ? {} : { namespace: given };
      if (expected === undefined) {
        assert.throws(() => checkNamespace(metadata, namespace), { code: 400 });
        assert.throws(() => placeInNamespace(metadata, namespace), { code: 400 });
        return;
      }
      checkNamespace(metadata, namespace);
      placeInNamespace(metadata, namespace);
      assert.deepEqual(metadata, expected === '' ? {} : { namespace: expected });
    });
  }
});
