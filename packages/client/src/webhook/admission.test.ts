import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { applyJsonPatch } from '@binnacle/apimachinery/patch';
import { invalid } from '@binnacle/apimachinery/status';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigMap } from '../kinds/generated/core/v1.js';
import { deny, type ValidatingWebhookOptions, webhook } from './index.js';
import { MAX_BODY_BYTES } from './review.js';
import { admissionReview, post } from './review.testing.js';

const path = '/';
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { size: '1' } };

type Validate = ValidatingWebhookOptions<ConfigMap>['validate'];

async function responseTo(hook: ReturnType<typeof webhook>, request: JsonObject): Promise<JsonObject> {
  const { answer } = await post(hook, admissionReview(request));
  assert.equal(answer.code, 200);
  assert.equal(answer.review?.['apiVersion'], 'admission.k8s.io/v1');
  assert.equal(answer.review?.['kind'], 'AdmissionReview');
  const { response } = answer.review ?? {};
  assert.ok(isObject(response));
  return response;
}

const validated = (validate: Validate, request: JsonObject = { object }) =>
  responseTo(webhook({ path, for: ConfigMap, validate }), request);

describe('a validating webhook', () => {
  it('allows a request', async () => {
    assert.deepEqual(await validated(() => undefined), { uid: 'u1', allowed: true });
  });

  const refusals: [name: string, validate: Validate, status: JsonObject][] = [
    ['that denies', () => deny('too small'), { message: 'too small', reason: 'Forbidden', code: 403 }],
    [
      'that denies with a code and a reason',
      () => deny('too large', { code: 413, reason: 'RequestEntityTooLarge' }),
      { message: 'too large', reason: 'RequestEntityTooLarge', code: 413 },
    ],
    ['that denies with a code', () => deny('later', { code: 429 }), { message: 'later', code: 429 }],
    ['that throws an error', () => Promise.reject(new Error('no')), { message: 'no', reason: 'Forbidden', code: 403 }],
    [
      'with a mistake',
      () => {
        throw new TypeError('x is undefined');
      },
      { message: 'panic: x is undefined [recovered]', code: 500 },
    ],
  ];
  for (const [name, validate, status] of refusals) {
    it(`${name} refuses`, async () => {
      const expected = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
      assert.deepEqual(await validated(validate), { uid: 'u1', allowed: false, status: expected });
    });
  }

  it('passes on the status of an API error', async () => {
    const error = invalid({ group: '', kind: 'ConfigMap' }, 'a', []);
    const { status } = await validated(() => {
      throw error;
    });
    assert.deepEqual(status, error.status);
  });

  it('adds warnings and annotations, also to a refusal', async () => {
    const added = { warnings: ['old', 'slow'], auditAnnotations: { seen: 'yes' } };
    const { uid, allowed, ...rest } = await validated((_, { warn, audit }) => {
      warn('old');
      warn('slow');
      audit('seen', 'yes');
    });
    assert.deepEqual([uid, allowed, rest], ['u1', true, added]);
    const { warnings } = await validated((_, { warn }) => {
      warn('old');
      deny('no');
    });
    assert.deepEqual(warnings, ['old']);
  });

  it('gets the old object of a DELETE, and the request', async () => {
    let seen: unknown;
    await validated(
      ({ metadata }, { request: { operation, userInfo } }) => {
        seen = [metadata.name, operation, userInfo.username];
      },
      { operation: 'DELETE', oldObject: object },
    );
    assert.deepEqual(seen, ['a', 'DELETE', 'alice']);
  });

  it('refuses another kind', async () => {
    const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
    const { allowed, status } = await validated(() => undefined, { kind, object });
    assert.equal(allowed, false);
    assert.ok(isObject(status));
    assert.equal(status['message'], 'unable to decode apps/v1, Kind=Deployment into v1, Kind=ConfigMap');
    assert.equal(status['code'], 400);
  });

  it('reports mistakes, and no denials', async () => {
    const failing = (error: Error) =>
      webhook({
        path,
        validate() {
          throw error;
        },
      });
    const review = admissionReview({ object });
    assert.deepEqual((await post(failing(new TypeError('oh')), review)).reports, ['TypeError: oh']);
    assert.deepEqual((await post(failing(new Error('no')), review)).reports, []);
  });
});

describe('a mutating webhook', () => {
  const patchOf = ({ patchType, patch }: JsonObject) => {
    assert.ok(patchType === 'JSONPatch' && typeof patch === 'string');
    return parseJson(Buffer.from(patch, 'base64')).value;
  };

  it('sends the patch to the returned object', async () => {
    const hook = webhook({
      path,
      for: ConfigMap,
      mutate: (map) => ({ ...map, data: { ...map.data, color: 'red' } }),
    });
    const response = await responseTo(hook, { object });
    assert.deepEqual(patchOf(response), [{ op: 'add', path: '/data/color', value: 'red' }]);
    assert.deepEqual(applyJsonPatch(structuredClone(object), patchOf(response)), {
      ...object,
      data: { size: '1', color: 'red' },
    });
  });

  it('may change the object that it gets', async () => {
    const hook = webhook({
      path,
      for: ConfigMap,
      mutate(map) {
        delete map.data;
        return map;
      },
    });
    assert.deepEqual(patchOf(await responseTo(hook, { object })), [{ op: 'remove', path: '/data' }]);
  });

  it('sends no patch for an unchanged object, and is not called for DELETE', async () => {
    const same = webhook({ path, mutate: (map) => map });
    assert.deepEqual(await responseTo(same, { object }), { uid: 'u1', allowed: true });
    const never = webhook({ path, mutate: () => deny('called') });
    assert.deepEqual(await responseTo(never, { operation: 'DELETE', oldObject: object }), { uid: 'u1', allowed: true });
  });

  it('keeps integers that no double holds', async () => {
    const hook = webhook<ConfigMap>({ path, mutate: (map) => ({ ...map, immutable: true }) });
    const text = JSON.stringify(admissionReview({ object })).replace('"1"', '9007199254740993');
    const { answer } = await post(hook, text);
    assert.ok(isObject(answer.review?.['response']));
    assert.deepEqual(patchOf(answer.review['response']), [{ op: 'add', path: '/immutable', value: true }]);
  });

  it('that returns nothing is a mistake', async () => {
    // A handler in JavaScript can do this.
    const hook = webhook({ path, mutate: (() => undefined) as unknown as (map: object) => never });
    const { status } = await responseTo(hook, { object });
    assert.ok(isObject(status));
    assert.equal(status['message'], 'panic: mutate must return the object [recovered]');
  });
});

describe('an unreadable review', () => {
  const hook = webhook({ path, validate: () => undefined });
  const valid = admissionReview({ object });
  const cases: [name: string, body: JsonObject | string, contentType: string, message: RegExp][] = [
    ['without a body', '', 'application/json', /^request body is empty$/],
    ['of another type', valid, 'text/plain', /^contentType=text\/plain, expected application\/json$/],
    ['that is not JSON', '{', 'application/json', /unexpected end/i],
    ['of another version', { ...valid, apiVersion: 'admission.k8s.io/v1beta1' }, 'application/json', /is not an adm/],
    ['without a request', { ...valid, request: null }, 'application/json', /^the review has no request$/],
    ['with another operation', admissionReview({ operation: 'X' }), 'application/json', /^unknown operation "X"$/],
    ['without an object', admissionReview({}), 'application/json', /^there is no content to decode$/],
  ];
  for (const [name, body, contentType, message] of cases) {
    it(`${name} is refused and reported`, async () => {
      const { answer, reports } = await post(hook, body, contentType);
      assert.equal(answer.code, 200);
      const { response } = answer.review ?? {};
      assert.ok(isObject(response) && isObject(response['status']));
      assert.equal(response['allowed'], false);
      assert.equal(response['status']['code'], 400);
      const { message: text } = response['status'];
      assert.ok(typeof text === 'string');
      assert.match(text, message);
      assert.equal(reports.length, 1);
    });
  }

  it('that is too long is refused', async () => {
    const { signal } = new AbortController();
    const call = { body: undefined, contentType: '', signal, report: () => undefined };
    const { review } = await hook.answer(call);
    assert.ok(isObject(review?.['response']) && isObject(review['response']['status']));
    assert.equal(review['response']['status']['code'], 413);
    assert.equal(
      review['response']['status']['message'],
      `request entity is too large; limit is ${MAX_BODY_BYTES} bytes`,
    );
  });
});

it('a webhook needs a path that begins with a slash', () => {
  assert.throws(() => webhook({ path: 'foos', validate: () => undefined }), /must begin with a slash: foos/);
});
