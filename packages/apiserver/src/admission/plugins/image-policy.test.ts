import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ImageReviewer, type ImageReviewSpec, imagePolicyWebhook } from './index.js';
import { object, validate } from './request.testing.js';

function pluginOf(answer: Awaited<ReturnType<ImageReviewer['review']>>, allowsOnFailure = false) {
  const asked: ImageReviewSpec[] = [];
  const plugin = imagePolicyWebhook({
    allowsOnFailure,
    review: async (spec) => {
      asked.push(spec);
      return answer;
    },
  });
  return { plugin, asked };
}

const allow = { allowed: true, reason: '', auditAnnotations: {} };
const pod = object(
  'Pod',
  { containers: [{ image: 'a' }], initContainers: [{ image: 'b' }], ephemeralContainers: [{ image: 'c' }] },
  { name: 'a', annotations: { 'x.image-policy.k8s.io/ticket': '1', other: '2' } },
);

// Upstream's table is in `plugin/pkg/admission/imagepolicy/admission_test.go`.
describe('ImagePolicyWebhook', () => {
  it('asks about the images of containers, and about those of ephemeral ones when they change', async () => {
    const { plugin, asked } = pluginOf(allow);
    for (const subresource of ['', 'ephemeralcontainers', 'status']) {
      await validate(plugin, 'pods', pod, { subresource, operation: 'UPDATE' });
    }
    const shared = { annotations: { 'x.image-policy.k8s.io/ticket': '1' }, namespace: 'default' };
    assert.deepEqual(asked, [
      { containers: [{ image: 'a' }, { image: 'b' }], ...shared },
      { containers: [{ image: 'c' }], ...shared },
    ]);
  });

  it('refuses what the service refuses, with its reason', async () => {
    const refuse = (reason: string) => validate(pluginOf({ ...allow, allowed: false, reason }).plugin, 'pods', pod);
    await assert.rejects(refuse('not scanned'), {
      code: 403,
      message: 'pods "a" is forbidden: image policy webhook backend denied one or more images: not scanned',
    });
    await assert.rejects(refuse(''), {
      message: 'pods "a" is forbidden: one or more images rejected by webhook backend',
    });
  });

  it('obeys defaultAllow when the service fails, and annotates audit events', async () => {
    await assert.rejects(validate(pluginOf({ error: 'down' }).plugin, 'pods', pod), {
      code: 403,
      message: 'pods "a" is forbidden: down',
    });
    const annotations: Record<string, string> = {};
    const annotate = (name: string, value: string) => void (annotations[name] = value);
    await validate(pluginOf({ error: 'down' }, true).plugin, 'pods', pod, { annotate });
    await validate(pluginOf({ ...allow, auditAnnotations: { seen: 'yes' } }).plugin, 'pods', pod, { annotate });
    assert.deepEqual(annotations, {
      'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true',
      'imagepolicywebhook.image-policy.k8s.io/seen': 'yes',
    });
  });
});
