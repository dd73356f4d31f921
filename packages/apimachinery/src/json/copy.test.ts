import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../testing/index.js';
import { deepCopy, deepCopyInSteps, isObject, type JsonObject } from './index.js';

test('a large value is copied in steps, like a small one, and shares nothing', () => {
  const text = '{"a":[1,[true,{"b":null}]],"__proto__":{"c":"d"},"list":[]}';
  const value = JSON.parse(text) as JsonObject;
  value['list'] = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  const { result, yields } = counted(deepCopyInSteps(value));
  assert.ok(yields >= 4, String(yields));
  assert.deepEqual(result, deepCopy(value));
  assert.deepEqual(result, value);
  const [first] = Array.isArray(result['list']) ? result['list'] : [];
  assert.ok(isObject(first));
  first['index'] = 7;
  assert.deepEqual(value['list'][0], { index: 0 });
});
