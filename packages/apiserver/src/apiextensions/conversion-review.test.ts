import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conversionReview, convertedObjects, reviewVersionOf } from './conversion-review.js';

describe('the version of a review', () => {
  for (const [accepted, chosen] of [
    [['v1', 'v1beta1'], 'v1'],
    [['v2', 'v1beta1', 'v1'], 'v1beta1'],
    [['v2'], undefined],
    [[], undefined],
  ] as const) {
    it(`is ${chosen} for [${accepted.join(', ')}]`, () => assert.equal(reviewVersionOf(accepted), chosen));
  }
});

describe('a review', () => {
  for (const objects of [[], ['{"a":1}'], ['{"a":1}', '{"b":2}']]) {
    it(`holds ${objects.length} objects as they were encoded`, () => {
      const review = conversionReview(
        'v1',
        'u"1',
        'example.com/v2',
        objects.map((text) => Buffer.from(text)),
      );
      assert.deepEqual(JSON.parse(review.toString()), {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: {
          uid: 'u"1',
          desiredAPIVersion: 'example.com/v2',
          objects: objects.map((text): unknown => JSON.parse(text)),
        },
      });
    });
  }
});

describe('the response to a review', () => {
  const head = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };
  const result = { status: 'Success' };
  const answer = (body: unknown, version: 'v1' | 'v1beta1' = 'v1') =>
    convertedObjects(Buffer.from(JSON.stringify(body)), version, 'u1');

  it('has the objects', () => {
    const convertedObjects = [{ a: 1 }, 2];
    assert.deepEqual(answer({ ...head, response: { uid: 'u1', result, convertedObjects } }), convertedObjects);
    assert.deepEqual(answer({ ...head, response: { uid: 'u1', result } }), []);
  });

  it('in v1beta1 needs neither type nor uid', () => {
    assert.deepEqual(answer({ response: { result, convertedObjects: [1] } }, 'v1beta1'), [1]);
  });

  const refused: [body: unknown, message: string][] = [
    [[], 'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind='],
    [
      { apiVersion: 'v1', kind: 'Status' },
      'expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got v1, Kind=Status',
    ],
    [head, 'no response provided'],
    [{ ...head, response: 'yes' }, 'no response provided'],
    [{ ...head, response: { result } }, 'expected response.uid="u1", got ""'],
    [{ ...head, response: { uid: 'u2', result } }, 'expected response.uid="u1", got "u2"'],
    [{ ...head, response: { uid: 'u1' } }, "response.result.status was '', not 'Success'"],
    [
      { ...head, response: { uid: 'u1', result: { status: 'Failure' } } },
      "response.result.status was 'Failure', not 'Success'",
    ],
    [{ ...head, response: { uid: 'u1', result: { status: 'Failure', message: 'no way' } } }, 'no way'],
    [{ ...head, response: { uid: 'u1', result, convertedObjects: {} } }, 'response.convertedObjects is not a list'],
  ];
  for (const [body, message] of refused) {
    it(`is refused: ${message}`, () => assert.throws(() => answer(body), { message }));
  }
});
