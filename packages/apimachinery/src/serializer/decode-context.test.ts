import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeContext } from './decode-context.js';

test('a context within others names their fields in errors without a copy of them', () => {
  const outer = new DecodeContext(undefined);
  outer.fields.push('spec', 'items');
  const middle = outer.within();
  middle.fields.push('not');
  const inner = middle.within();
  assert.equal(inner.fields.length, 0);
  inner.fields.push('type');
  inner.typeError('number', 'string');
  assert.throws(() => inner.finish(), {
    message: 'json: cannot unmarshal number into Go struct field .spec.items.not.type of type string',
  });
});

test('contexts within others count their items together', () => {
  const outer = new DecodeContext(undefined);
  let steps = 0;
  for (let index = 0; index < 5000; index++) if (outer.within().endsStep()) steps++;
  assert.equal(steps, 5);
});
