import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ConvertHandler, webhook } from './index.js';
import { post } from './review.testing.js';

const foo = (version: string, name: string): JsonObject => ({
  apiVersion: `example.com/${version}`,
  kind: 'Foo',
  metadata: { name },
});

const review = (objects: JsonObject[]): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'u1', desiredAPIVersion: 'example.com/v2', objects },
});

async function converted(convert: ConvertHandler, objects: JsonObject[]): Promise<JsonObject> {
  const { answer } = await post(webhook({ path: '/', convert }), review(objects));
  assert.equal(answer.code, 200);
  const { response, ...rest } = answer.review ?? {};
  assert.deepEqual(rest, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' });
  assert.ok(isObject(response));
  return response;
}

describe('a conversion webhook', () => {
  it('converts all objects in order, and not those that have the version', async () => {
    const sizes: ConvertHandler = (object, desired) => ({ ...object, size: `${object.apiVersion} to ${desired}` });
    assert.deepEqual(await converted(sizes, [foo('v1', 'a'), foo('v2', 'b')]), {
      uid: 'u1',
      convertedObjects: [{ ...foo('v2', 'a'), size: 'example.com/v1 to example.com/v2' }, foo('v2', 'b')],
      result: { status: 'Success' },
    });
  });

  it('refuses the review for one object that it cannot convert', async () => {
    const failing: ConvertHandler = ({ metadata }) => {
      throw new Error(`${metadata.name} has no size`);
    };
    assert.deepEqual(await converted(failing, [foo('v1', 'a')]), {
      uid: 'u1',
      convertedObjects: [],
      result: { status: 'Failure', message: 'a has no size' },
    });
  });

  it('hides and reports mistakes', async () => {
    const hook = webhook({ path: '/', convert: () => Promise.reject(new TypeError('x is undefined')) });
    const { answer, reports } = await post(hook, review([foo('v1', 'a')]));
    assert.ok(isObject(answer.review?.['response']));
    assert.deepEqual(answer.review['response']['result'], {
      status: 'Failure',
      message: 'internal error occurred during conversion',
    });
    assert.deepEqual(reports, ['TypeError: x is undefined']);
  });

  for (const [name, body] of [
    ['that is not JSON', '{'],
    ['without a request', { ...review([]), request: null }],
    ['with a request that lacks a field', { ...review([]), request: { uid: 'u1' } }],
  ] as const) {
    it(`answers a review ${name} with 400`, async () => {
      const { answer, reports } = await post(webhook({ path: '/', convert: (object) => object }), body);
      assert.deepEqual(answer, { code: 400, review: undefined });
      assert.equal(reports.length, 1);
    });
  }
});
