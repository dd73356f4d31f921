import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planProtection } from './protection.js';

const FINALIZER = 'example.com/protection';
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('planProtection', () => {
  const finalizers = [FINALIZER];
  for (const [what, metadata, expected] of [
    ['a live object with the finalizer', { finalizers }, undefined],
    ['a live object without it', {}, 'add'],
    ['a deleted object with it', { finalizers, ...DELETED }, 'removeIfUnused'],
    ['a deleted object with another', { finalizers: ['a.example/b'], ...DELETED }, undefined],
  ] as const) {
    it(`${what}: ${expected ?? 'nothing'}`, () => {
      const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', ...metadata } };
      assert.equal(
        planProtection(
          { ...object, metadata: { ...object.metadata, finalizers: [...(metadata.finalizers ?? [])] } },
          FINALIZER,
        ),
        expected,
      );
    });
  }
});
