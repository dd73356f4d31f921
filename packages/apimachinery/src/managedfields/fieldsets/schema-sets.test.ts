import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { finish } from '../../work/index.js';
import { thingSchema } from '../schema.testing.js';
import { decodeFieldSet } from './fields-v1.js';
import { reconcileOnce } from './schema-sets.js';

describe('reconcileOnce', () => {
  const set = decodeFieldSet({ 'f:spec': { 'f:options': { 'f:a': {} }, 'f:replicas': {} } });

  it('reconciles a set once for each schema', () => {
    const form = finish(reconcileOnce(set, thingSchema));
    assert.ok(form.equals(decodeFieldSet({ 'f:spec': { 'f:options': {}, 'f:replicas': {} } })));
    assert.equal(finish(reconcileOnce(set, thingSchema)), form);
    const other = { ...thingSchema, fields: [], byName: new Map() };
    assert.ok(finish(reconcileOnce(set, other)).equals(set));
  });

  it('does not keep the schemas that a definition had', async () => {
    const former = Array.from({ length: 10 }, () => {
      const schema = { ...thingSchema };
      finish(reconcileOnce(set, schema));
      return new WeakRef(schema);
    });
    setFlagsFromString('--expose-gc');
    // A WeakRef keeps its target until the end of the turn.
    await nextTurn();
    const collectGarbage = runInNewContext('gc') as () => void;
    collectGarbage();
    assert.deepEqual(
      former.filter((schema) => schema.deref() !== undefined),
      [],
    );
  });
});
