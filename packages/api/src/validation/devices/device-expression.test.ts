import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExpression, estimateCost, parseExpression } from '@binnacle/apimachinery/cel';
import { finish } from '@binnacle/apimachinery/work';
import { validateDeviceClassUpdate } from './index.js';
import { texts } from '../rules.testing.js';
import { DEVICE_ENVIRONMENT, compileDeviceExpressions } from './device-expression.js';
import { sizeOfDevicePath } from './device-sizes.js';

const problems = (source: string): string[] =>
  texts([...finish(compileDeviceExpressions([source])).values()].map((error) => error('at')));

test('the expression of a device selector', () => {
  for (const source of [
    'true',
    'device.attributes["dra.example.com"].name',
    'device.allowMultipleAllocations == true',
    'cel.bind(dra, device.attributes["dra.example.com"], dra.one && dra.other)',
    'device.attributes["dra.example.com"].version.isGreaterThan(semver("0.0.1"))',
    'device.capacity["dra.example.com"].memory.compareTo(quantity("1Mi")) >= 0',
    '"dra.example.com" in device.attributes',
  ]) {
    assert.deepEqual(problems(source), [], source);
  }
});

test('a selector that does not compile', () => {
  const refusal = (source: string, words: string): void => {
    const [problem = ''] = problems(source);
    assert.ok(problem.includes(words), `${source}: ${problem}`);
  };
  refusal('?!', 'compilation failed: ERROR: <input>:1:1: Syntax error');
  refusal('1', 'Invalid value: "1": must evaluate to bool or the unknown type, not int');
  refusal('dyn(true)', 'must evaluate to bool or the unknown type, not dyn');
  refusal('device.other == 1', "undefined field 'other'");
  refusal('device.attributes["d"].name.includes("fish")', "undeclared reference to 'includes'");
  refusal(
    'device.attributes["d"].name.exists(x, x > 0)',
    "expression of type 'any' cannot be range of a comprehension",
  );
  refusal('cel.bind(a.b, true, true)', 'cel.bind() variable names must be simple identifiers');
});

test('the cost of a selector', () => {
  const cost = (source: string): number => {
    const checked = checkExpression(source, parseExpression(source, { bindings: true }), DEVICE_ENVIRONMENT);
    return estimateCost(checked, sizeOfDevicePath).max;
  };
  // Recorded from upstream.
  for (const [source, expected] of [
    ['true', 0],
    ['device.attributes["no-such-domain"].noSuchAttr.isGreaterThan(quantity("0"))', 6],
    ['"no-such-domain" in device.attributes', 3],
    ['device.driver == ""', 2],
    ['device.driver == "dra.example.com"', 4],
    ['device.attributes["dra.example.com"]["name"]', 4],
    ['cel.bind(dra, device.attributes["dra.example.com"], dra.name)', 15],
    ['device.attributes["dra.example.com"].name > 0', 5],
    ['device.attributes["dra.example.com"].name == "fish"', 5],
  ] as const) {
    assert.equal(cost(source), expected, source);
  }
  const loops = (depth: number): string =>
    depth === 0 ? 'true' : `device.attributes.all(x${depth}, ${loops(depth - 1)})`;
  assert.deepEqual(problems(loops(2)), []);
  assert.deepEqual(problems(loops(5)), ['at: Forbidden: too complex, exceeds cost limit']);
});

test('unchanged selectors are not compiled again', () => {
  const metadata = { name: 'c', uid: 'u', resourceVersion: '1' };
  const spec = { selectors: [{ cel: { expression: '1' } }] };
  const old = { metadata, spec };
  const found = (selectors: { cel: { expression: string } }[]): string[] =>
    finish(validateDeviceClassUpdate({ metadata, spec: { selectors } }, old)).map(({ field }) => field);
  assert.deepEqual(found(spec.selectors), []);
  assert.deepEqual(found([...spec.selectors, { cel: { expression: 'true' } }]), ['spec.selectors[0].cel.expression']);
});
