import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionOfKind } from '@binnacle/api/table';
import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { wrongKind } from './wrong-kind.js';

function kindOf(apiVersion: string, kind: string): GroupVersionKind {
  const groupVersion = parseGroupVersion(apiVersion);
  assert.ok(groupVersion);
  return { ...groupVersion, kind };
}

/** The message for an object of one kind where another is expected. */
function said(given: GroupVersionKind, expected: GroupVersionKind): string {
  const { status } = wrongKind(given, expected, (kind) => definitionOfKind(kind) !== undefined);
  assert.equal(status.code, 400);
  return status.message ?? '';
}

test('the right kind in another version is reported as another version, served or not', () => {
  const versions = [
    ['HorizontalPodAutoscaler', 'autoscaling/v1', 'autoscaling/v2'],
    ['ResourceClaim', 'resource.k8s.io/v1beta1', 'resource.k8s.io/v1'],
    ['Deployment', 'apps/v1beta2', 'apps/v1'],
    ['Deployment', 'extensions/v1beta1', 'apps/v1'],
    ['Ingress', 'extensions/v1beta1', 'networking.k8s.io/v1'],
    ['Event', 'events.k8s.io/v1', 'v1'],
  ] as const;
  for (const [kind, given, expected] of versions) {
    const message = `the API version in the data (${given}) does not match the expected API version (${expected})`;
    assert.equal(said(kindOf(given, kind), kindOf(expected, kind)), message);
  }
});

test('another kind cannot be converted, and an unknown one is not registered', () => {
  const pod = kindOf('v1', 'Pod');
  const refused = [
    [kindOf('v1', 'Secret'), 'converting (v1.Secret) to (core.Pod): unknown conversion'],
    [kindOf('v1', 'Status'), 'converting (v1.Status) to (core.Pod): unknown conversion'],
    [kindOf('apps/v1beta1', 'Deployment'), 'converting (v1beta1.Deployment) to (core.Pod): unknown conversion'],
    [
      kindOf('apps/v9', 'Pod'),
      'no kind "Pod" is registered for version "apps/v9" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
  ] as const;
  for (const [given, reason] of refused) {
    const start = `${given.kind} in version "${given.version}" cannot be handled as a Pod: `;
    assert.equal(said(given, pod), start + reason);
  }
});
