import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { JsonValue } from '../json/index.js';
import type { KubernetesObject } from '../meta/index.js';
import { StatusError } from '../status/index.js';
import { LATER, apply, stored } from './apply.testing.js';

describe('applying any document', () => {
  const names = [
    'metadata',
    'spec',
    'status',
    'data',
    'extra',
    'containers',
    'name',
    'ports',
    'containerPort',
    'protocol',
  ];
  const more = [
    'finalizers',
    'labels',
    'selector',
    'options',
    'replicas',
    'args',
    'image',
    '__proto__',
    'constructor',
    '',
  ];
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, depthIdentifier: 'tree' },
      fc.constantFrom<JsonValue>('a', 'b', '', 1, 0, true, null),
      fc.array(tie('tree'), { maxLength: 3, depthIdentifier: 'tree' }),
      fc.dictionary(fc.constantFrom(...names, ...more), tie('tree'), { maxKeys: 4, depthIdentifier: 'tree' }),
    ),
  }));
  const documents = fc.dictionary(fc.constantFrom(...names.slice(0, 5)), tree, { maxKeys: 4 });
  const managers = fc.constantFrom('a', 'b', 'kubectl');

  it('succeeds or is rejected, and is idempotent', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(managers, documents, fc.boolean()), { maxLength: 6 }), (steps) => {
        let live: KubernetesObject | undefined;
        for (const [manager, fields, force] of steps) {
          try {
            live = stored(apply(live, manager, fields, { force }), live);
            taken++;
          } catch (error) {
            assert.ok(error instanceof StatusError, String(error));
            continue;
          }
          // Values that the typed object does not show, such as an empty map, are added by every apply.
          if (hasNothing(fields)) continue;
          const again = apply(live, manager, fields, { force: true, now: LATER });
          assert.equal(again.document, undefined);
          assert.deepEqual(again.managedFields, live.metadata.managedFields);
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(taken > 100, String(taken));
  });

  function hasNothing(value: JsonValue | undefined): boolean {
    if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
    if (typeof value !== 'object') return false;
    const inner: readonly (JsonValue | undefined)[] = Object.values(value);
    return inner.length === 0 || inner.some(hasNothing);
  }
});
