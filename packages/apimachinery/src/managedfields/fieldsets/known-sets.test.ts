import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { finish } from '../../work/index.js';
import { thingSchema } from '../schema.testing.js';
import { decodeFieldSet } from './fields-v1.js';
import { decodeKnownSet, reconcileKnownSet } from './known-sets.js';
import { PathElementError } from './path-element.js';

const fieldsOf = (name: string) => ({ 'f:data': { '.': {}, [`f:${name}`]: {} } });

describe('known sets', () => {
  it('are decoded once for the same text', () => {
    const first = finish(decodeKnownSet(fieldsOf('a')));
    assert.ok(first.equals(decodeFieldSet(fieldsOf('a'))));
    assert.equal(finish(decodeKnownSet(fieldsOf('a'))), first);
    assert.notEqual(finish(decodeKnownSet(fieldsOf('b'))), first);
  });

  it('are forgotten when there are many others', () => {
    const first = finish(decodeKnownSet(fieldsOf('x')));
    for (let index = 0; index < 20_000; index++) finish(decodeKnownSet(fieldsOf(`other-${index}`)));
    assert.notEqual(finish(decodeKnownSet(fieldsOf('x'))), first);
  });

  it('are reconciled once for each schema', () => {
    const set = finish(decodeKnownSet(fieldsOf('a')));
    const form = finish(reconcileKnownSet(set, thingSchema));
    assert.equal(finish(reconcileKnownSet(set, thingSchema)), form);
    const other = { ...thingSchema, fields: [] };
    assert.ok(finish(reconcileKnownSet(set, other)).equals(set));
  });

  it('do not keep the schemas that a definition had', async () => {
    const set = finish(decodeKnownSet(fieldsOf('a')));
    const former = Array.from({ length: 10 }, () => {
      const schema = { ...thingSchema };
      finish(reconcileKnownSet(set, schema));
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

  it('refuse fields that no manager can own', () => {
    for (const bad of [undefined, {}, { 'f:a': 1n }, { bad: {} }]) {
      const decode = () => finish(decodeKnownSet(bad));
      if (bad === undefined || Object.keys(bad).length === 0) assert.ok(decode().isEmpty);
      else assert.throws(decode, PathElementError);
    }
  });
});
