import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json/index.js';
import type { KubernetesObject } from '../meta/index.js';
import { apply, configuration, ownedFields, thrownStatus, stored } from './apply.testing.js';

describe('the annotation of client-side apply', () => {
  const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
  const lastApplied = JSON.stringify(configuration({ data: { a: '1', b: '1' } }));
  const live: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { uid: 'u', annotations: { [ANNOTATION]: lastApplied } },
    data: { a: '1', b: 'edited' },
  };

  it('lets kubectl take over fields unchanged since its last apply', () => {
    const applied = stored(apply(live, 'kubectl', { data: { a: '2' } }));
    assert.deepEqual(applied.data, { a: '2', b: 'edited' });
    assert.equal(
      applied.metadata.annotations?.[ANNOTATION],
      `${JSON.stringify({ apiVersion: 'v1', data: { a: '2' }, kind: 'Thing' })}\n`,
    );
    assert.deepEqual(ownedFields(applied)['kubectl'], { 'f:data': { 'f:a': {} } });
  });

  it('conflicts for fields changed since, and for other managers', () => {
    const message = (manager: string, fields: JsonObject): string =>
      thrownStatus(() => apply(live, manager, fields)).message;
    assert.match(message('kubectl', { data: { a: '2', b: '2' } }), /^Apply failed with 1 conflict: .*: \.data\.b$/);
    assert.match(message('other', { data: { a: '2' } }), /: \.data\.a$/);
  });
});
