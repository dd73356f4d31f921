import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asKind } from '@binnacle/apimachinery/meta';
import type { SubjectRulesReviewStatus } from '@binnacle/api/types/authorization-v1';
import type { PolicyRule, RoleSource } from '../authorization/index.js';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { selfSubjectRulesReviewer } from './rules-review.js';

/** A user with as many bindings of a role of 1,000 rules. */
function reviewOf(bindings: number) {
  const rules: PolicyRule[] = Array.from({ length: 1000 }, (_, index) =>
    index % 10 === 0
      ? { verbs: ['get'], nonResourceURLs: [`/p${index}`] }
      : { verbs: ['get'], apiGroups: [`g${index}`], resources: ['a'] },
  );
  const binding = {
    metadata: {},
    subjects: [{ kind: 'User', name: 'jane' }],
    roleRef: { kind: 'ClusterRole', name: 'r' },
  };
  const source: RoleSource = {
    clusterRole: () => ({ rules }),
    role: () => undefined,
    clusterRoleBindings: () => Array.from({ length: bindings }, () => binding),
    roleBindings: () => [],
  };
  const context = new RequestContext(new FakeExchange({}), '/', new URLSearchParams(), 0);
  context.user = { name: 'jane', uid: '', groups: [], extra: {} };
  let reserved = 0;
  context.reserveMemory = (bytes) => (reserved += bytes);
  const object = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    metadata: {},
    spec: { namespace: 'n' },
  };
  const review = async () => selfSubjectRulesReviewer(source, () => [{ type: 'RBAC' }])(object, context);
  return { review, reserved: () => reserved };
}

describe('a review of rules', () => {
  it('lists the rules of each binding, and counts their memory', async () => {
    const { review, reserved } = reviewOf(20);
    const { status } = asKind<{ readonly status: SubjectRulesReviewStatus }>(await review());
    assert.deepEqual([status.resourceRules.length, status.nonResourceRules.length], [18_000, 2000]);
    assert.equal(reserved(), 20_000 * 500);
  });

  it('refuses more than a million', async () => {
    assert.equal((await reviewOf(1000).review()).kind, 'SelfSubjectRulesReview');
    const { review, reserved } = reviewOf(1001);
    await assert.rejects(review(), { code: 413 });
    assert.equal(reserved(), 0);
    await assert.rejects(reviewOf(10_001).review(), { code: 413 });
  });
});
