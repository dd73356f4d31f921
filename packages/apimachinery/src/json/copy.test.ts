import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepCopy, deepCopyInSteps, isObject, type JsonObject } from './index.js';

test('a large value is copied in steps, like a small one, and shares nothing', () => {
  const text = '{"a":[1,[true,{"b":null}]],"__proto__":{"c":"d"},"list":[]}';
  const value = JSON.parse(text) as JsonObject;
  value['list'] = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  const steps = deepCopyInSteps(value);
  let yields = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yields++;
  assert.ok(yields >= 4, String(yields));
  assert.deepEqual(step.value, deepCopy(value));
  assert.deepEqual(step.value, value);
  const [first] = Array.isArray(step.value['list']) ? step.value['list'] : [];
  assert.ok(isObject(first));
  first['index'] = 7;
  assert.deepEqual(value['list'][0], { index: 0 });
});
