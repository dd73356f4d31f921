import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { formatFieldErrors } from '@binnacle/apimachinery/status';
import { validateScaleSpec, validateScaleStatus } from './scale-rules.js';

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

describe('the replicas of a scalable object', () => {
  const cases: [object: JsonObject, message: string | undefined][] = [
    [{}, undefined],
    [{ spec: null }, undefined],
    [{ spec: {} }, undefined],
    [{ spec: { replicas: 0 } }, undefined],
    [{ spec: { replicas: 2 ** 31 - 1 } }, undefined],
    [{ spec: { replicas: -1 } }, 'Invalid value: -1: should be a non-negative integer'],
    [{ spec: { replicas: 2 ** 31 } }, 'Invalid value: 2147483648: should be less than or equal to 2147483647'],
    [
      { spec: { replicas: 2n ** 62n } },
      'Invalid value: 4611686018427387904: should be less than or equal to 2147483647',
    ],
    [
      { spec: { replicas: 1.5 } },
      'Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64',
    ],
    [
      { spec: { replicas: 'x' } },
      'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
    ],
    [
      { spec: { replicas: null } },
      'Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64',
    ],
    [
      { spec: 'x' },
      'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected map[string]interface{}',
    ],
  ];
  for (const [object, message] of cases) {
    const errors = () => validateScaleSpec(object, scale);
    it(`in ${stringifyJson(object)} are ${message ?? 'valid'}`, () => {
      if (message === undefined) assert.deepEqual(errors(), []);
      else assert.equal(formatFieldErrors(errors()), `.spec.replicas: ${message}`);
    });
  }
});

describe('the status of a scalable object', () => {
  it('has replicas and a selector in text', () => {
    assert.deepEqual(validateScaleStatus({ status: { replicas: 1, selector: 'a=b' } }, scale), []);
    const { labelSelectorPath: _, ...withoutSelector } = scale;
    assert.deepEqual(validateScaleStatus({ status: { replicas: 1, selector: 5 } }, withoutSelector), []);
  });

  it('has an error for each', () => {
    assert.equal(
      formatFieldErrors(validateScaleStatus({ status: { replicas: -5, selector: {} } }, scale)),
      '[.status.replicas: Invalid value: -5: should be a non-negative integer, ' +
        '.status.selector: Invalid value: "": .status.selector accessor error: map[] is of the type ' +
        'map[string]interface {}, expected string]',
    );
  });
});
