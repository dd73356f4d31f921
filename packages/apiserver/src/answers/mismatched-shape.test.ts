import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notAList, notOneObject } from './index.js';

for (const [group, kind, type, untyped] of [
  ['', 'Secret', 'core.Secret', false],
  ['events.k8s.io', 'Event', 'core.Event', false],
  ['rbac.authorization.k8s.io', 'Role', 'rbac.Role', false],
  ['example.com', 'Widget', 'unstructured.Unstructured', true],
] as const) {
  test(`a refusal of metadata in another shape names the type of ${kind}`, () => {
    const groupVersionKind = { group, version: 'v1', kind };
    const codec = untyped ? { groupVersionKind, untyped } : { groupVersionKind };
    const one = notAList(codec);
    assert.deepEqual([one.code, one.reason], [406, 'NotAcceptable']);
    assert.equal(
      one.message,
      `you requested PartialObjectMetadataList, but the requested object is not a list (*${type})`,
    );
    const list = notOneObject(codec);
    assert.equal(list.code, 406);
    assert.equal(
      list.message,
      `you requested PartialObjectMetadata, but the requested object is a list (*${type}List)`,
    );
  });
}
