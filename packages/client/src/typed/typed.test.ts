import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mutableCopy, type TypedObject } from './index.js';

describe('mutable copy', () => {
  it('shares nothing with the original', () => {
    interface Widget extends TypedObject {
      readonly spec: { readonly sizes: readonly number[] };
    }
    const widget: Widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: {}, spec: { sizes: [1] } };
    const copy = mutableCopy(widget);
    copy.spec.sizes.push(2);
    copy.metadata.labels = { a: 'b' };
    assert.deepEqual(widget, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: {}, spec: { sizes: [1] } });
    const back: Widget = copy;
    assert.deepEqual(back.spec.sizes, [1, 2]);
  });
});
