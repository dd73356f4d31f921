import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { WebhookCallError } from '../webhooks/index.js';
import { imageReviewer } from './index.js';

const service = { url: 'https://images.example', credentials: () => ({}) };
const spec = { containers: [{ image: 'a' }], annotations: {}, namespace: 'default' };
const reviewWith = (status: object, kind = 'ImageReview') => ({
  apiVersion: 'imagepolicy.k8s.io/v1alpha1',
  kind,
  status,
});

function reviewer(answer: () => object, defaultAllow = true) {
  const clock = new VirtualClock();
  const sent: unknown[] = [];
  const webhook = { service, allowMs: 1000, denyMs: 0, backoffMs: 500, defaultAllow };
  const post = async (body: Uint8Array) => {
    sent.push(JSON.parse(Buffer.from(body).toString()));
    return Buffer.from(JSON.stringify(answer()));
  };
  return { made: imageReviewer(webhook, { post }, clock), clock, sent };
}

describe('imageReviewer', () => {
  it('sends a review and reads its status', async () => {
    const { made, sent } = reviewer(() => reviewWith({ allowed: false, reason: 'r', auditAnnotations: { a: 'b' } }));
    assert.deepEqual(await made.review(spec), { allowed: false, reason: 'r', auditAnnotations: { a: 'b' } });
    assert.equal(made.allowsOnFailure, true);
    assert.equal(reviewer(() => reviewWith({}), false).made.allowsOnFailure, false);
    const metadata = {};
    assert.deepEqual(sent, [{ ...reviewWith({ allowed: false }), metadata, spec }]);
  });

  it('caches answers for their time, by what was asked', async () => {
    let allowed = true;
    const { made, clock, sent } = reviewer(() => reviewWith({ allowed }));
    for (let count = 0; count < 2; count++) await made.review(spec);
    await made.review({ ...spec, namespace: 'other' });
    assert.equal(sent.length, 2);
    await clock.advance(1000);
    allowed = false;
    for (let count = 0; count < 2; count++) await made.review(spec);
    assert.equal(sent.length, 4);
  });

  it('answers the text of an error', async () => {
    const failing = reviewer(() => {
      throw new WebhookCallError('Post "https://images.example/": down');
    });
    assert.deepEqual(await failing.made.review(spec), { error: 'Post "https://images.example/": down' });
    const wrong = reviewer(() => reviewWith({}, 'TokenReview'));
    assert.match(JSON.stringify(await wrong.made.review(spec)), /error.*instead of imagepolicy/);
  });
});
