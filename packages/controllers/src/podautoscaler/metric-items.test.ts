import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { nameOf, usageOf, valueOf } from './metric-items.js';
import { MetricsError } from './replica-calculator.js';

describe('usageOf', () => {
  const container = (name: string, cpu: string) => ({ name, usage: { cpu } });
  const two = { containers: [container('a', '100m'), container('b', '1')] };
  const rows: [string, JsonObject, string, string | undefined, bigint | undefined][] = [
    ['all containers', two, 'cpu', undefined, 1100n],
    ['one container', two, 'cpu', 'b', 1000n],
    ['the first of two of a name', { containers: [container('a', '2'), container('a', '3')] }, 'cpu', 'a', 2000n],
    ['a container that is not there', two, 'cpu', 'c', undefined],
    ['another resource', two, 'memory', undefined, undefined],
    [
      'one container without it',
      { containers: [container('a', '1'), { name: 'b', usage: {} }] },
      'cpu',
      undefined,
      undefined,
    ],
    ['a container without a usage', { containers: [{ name: 'a' }] }, 'cpu', undefined, undefined],
    ['no containers', {}, 'cpu', undefined, undefined],
    ['containers that are not a list', { containers: { a: 1 } }, 'cpu', undefined, undefined],
    ['containers that are not objects', { containers: ['a', null] }, 'cpu', undefined, undefined],
    ['a resource of an odd name', { containers: [{ name: 'a', usage: {} }] }, 'constructor', undefined, undefined],
  ];
  for (const [what, item, resource, name, expected] of rows) {
    it(`${what}: ${expected ?? 'none'}`, () => assert.equal(usageOf(item, resource, name), expected));
  }
});

describe('valueOf', () => {
  for (const [value, expected] of [
    ['1500m', 1500n],
    ['2', 2000n],
    [3, 3000n],
  ] as const) {
    it(`${JSON.stringify(value)}: ${expected}`, () => assert.equal(valueOf({ value }), expected));
  }

  for (const value of ['many', {}, [1, 2]]) {
    it(`refuses ${JSON.stringify(value)}`, () =>
      assert.throws(
        () => valueOf({ value }),
        new MetricsError(`the metrics API returned ${JSON.stringify(value)}, which is not a quantity`),
      ));
  }
});

it('valueOf refuses long texts, and shows their start alone', () => {
  const value = '9'.repeat(1001);
  const message = `the metrics API returned "${'9'.repeat(999)}, which is not a quantity`;
  assert.throws(() => valueOf({ value }), new MetricsError(message));
});

describe('nameOf', () => {
  for (const [value, expected] of [
    [{ name: 'a' }, 'a'],
    [{ name: 1 }, ''],
    [{}, ''],
    ['a', ''],
    [undefined, ''],
  ] as const) {
    it(`${JSON.stringify(value)}: ${JSON.stringify(expected)}`, () => assert.equal(nameOf(value), expected));
  }
});
