import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReviewVersion } from './review.js';
import { readReview, verdictOf } from './review-answer.js';

const v1 = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
const beta = { apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview' };
const patch = Buffer.from('[]').toString('base64');

interface Options {
  readonly version?: ReviewVersion;
  readonly mutating?: boolean;
}

function verdict(answer: unknown, { version = 'v1', mutating = true }: Options = {}) {
  const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
  return readReview(body, version).then((review) => verdictOf(review, version, 'u', mutating));
}

const answered = (response: object) => ({ ...v1, response: { uid: 'u', allowed: true, ...response } });

describe('the answer of a webhook', () => {
  const problems: readonly (readonly [string, unknown, string, Options?])[] = [
    [
      'text',
      'hello',
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Pod' },
      'no kind "Pod" is registered for version "v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
    ],
    [
      'an unknown version',
      { ...v1, apiVersion: 'admission.k8s.io/v3' },
      'no kind "AdmissionReview" is registered for version "admission.k8s.io/v3" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
    ],
    ['the other version', beta, 'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion'],
    ['no version', { ...v1, apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
    ['a failure', { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'no' }, 'no'],
    ['a success', { apiVersion: 'v1', kind: 'Status', status: 'Success' }, 'webhook response was absent'],
    ['no response', v1, 'webhook response was absent'],
    ['another request', answered({ uid: 'x' }), 'expected response.uid="u", got "x"'],
    [
      'no kind',
      { response: { uid: 'u' } },
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    ],
    [
      'a text instead of a boolean',
      answered({ allowed: 'true' }),
      'json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    ['a patch without a type', answered({ patch }), 'webhook returned response.patch but not response.patchType'],
    [
      'a type without a patch',
      answered({ patchType: 'JSONPatch' }),
      'webhook returned response.patchType but not response.patch',
    ],
    ['an empty type', answered({ patch, patchType: '' }), 'webhook returned invalid response.patchType of ""'],
    [
      'a patch of a validating webhook',
      answered({ patch, patchType: 'JSONPatch' }),
      'validating webhook may not return response.patch',
      { mutating: false },
    ],
    [
      'a patch type of a validating webhook',
      answered({ patchType: 'JSONPatch' }),
      'validating webhook may not return response.patchType',
      { mutating: false },
    ],
  ];
  for (const [name, answer, message, options] of problems) {
    it(`is refused: ${name}`, () => assert.rejects(verdict(answer, options), { name: 'WebhookCallError', message }));
  }

  it('is refused as invalid JSON, and as long text that is not JSON', async () => {
    await assert.rejects(verdict('{"a":'), /^WebhookCallError: couldn't get version\/kind; json parse error: /);
    await assert.rejects(verdict('a: b\n'.repeat(20_000)), { name: 'WebhookCallError' });
  });

  it('has a verdict, warnings and annotations', async () => {
    const response = {
      uid: 'u',
      allowed: false,
      status: { code: 418, message: 'no' },
      warnings: ['w'],
      auditAnnotations: { k: 'v' },
      bogus: 1,
    };
    const { allowed, status, warnings, auditAnnotations } = await verdict({ ...v1, response });
    assert.deepEqual([allowed, status?.code, status?.message, warnings], [false, 418, 'no', ['w']]);
    assert.deepEqual(auditAnnotations, [['k', 'v']]);
    assert.equal((await verdict({ ...v1, response: { uid: 'u' } })).allowed, false);
  });

  it('is refused with too many keys, and has only so many annotations', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
    const answer = (count: number) => ({ ...v1, response: { uid: 'u', auditAnnotations: many(count) } });
    await assert.rejects(verdict(answer(100_000)), /^WebhookCallError: .*exceeded max keys$/);
    const { auditAnnotations } = await verdict(answer(20_000));
    assert.equal(auditAnnotations.length, 10_000);
    assert.deepEqual(auditAnnotations[0], ['k0', 'v']);
  });

  it('may be YAML', async () => {
    const text = 'apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse: {uid: u, allowed: true}\n';
    assert.equal((await verdict(text)).allowed, true);
  });

  it('in v1beta1 names neither the request nor the type of its patch', async () => {
    const { allowed, patchType } = await verdict(
      { ...beta, response: { allowed: true, patch } },
      { version: 'v1beta1' },
    );
    assert.deepEqual([allowed, patchType], [true, 'JSONPatch']);
  });
});
