import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deepCopy, type JsonObject } from '@binnacle/apimachinery/json';
import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { resourceOfKind, resources } from '../table/index.js';
import { canConvert, ConversionError, convert } from './convert.js';

function kindOf(apiVersion: string, kind: string): GroupVersionKind {
  const groupVersion = parseGroupVersion(apiVersion);
  assert.ok(groupVersion);
  return { ...groupVersion, kind };
}

/** Converts there and back, and checks that converting there leaves its input unchanged. */
function thereAndBack(
  object: JsonObject,
  kind: string,
  from: string,
  to: string,
): [there: JsonObject, back: JsonObject] {
  const before = deepCopy(object);
  const there = convert(object, kindOf(from, kind), kindOf(to, kind));
  assert.deepEqual(object, before);
  return [there, convert(there, kindOf(to, kind), kindOf(from, kind))];
}

describe('horizontal pod autoscaler conversion', () => {
  const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
  const metadata = { name: 'x', annotations: { mine: 'kept' } };

  it('keeps plain CPU targets in fields', () => {
    const v2: JsonObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, metrics: [cpu] },
    };
    const [v1, back] = thereAndBack(v2, 'HorizontalPodAutoscaler', 'autoscaling/v2', 'autoscaling/v1');
    assert.deepEqual(v1, {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    });
    assert.deepEqual(back, v2);
  });

  it('spells out the defaults that v1 implies', () => {
    const v1: JsonObject = { apiVersion: 'autoscaling/v1', spec: { scaleTargetRef, maxReplicas: 3 } };
    const [v2, back] = thereAndBack(v1, 'HorizontalPodAutoscaler', 'autoscaling/v1', 'autoscaling/v2');
    const metrics = [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ];
    assert.deepEqual(v2, { apiVersion: 'autoscaling/v2', spec: { scaleTargetRef, maxReplicas: 3, metrics } });
    assert.deepEqual(back['spec'], { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 80 });
  });

  it("keeps everything else in annotations, in upstream's form", () => {
    const selector = { matchLabels: { a: '<1>' }, matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] };
    const v2: JsonObject = {
      apiVersion: 'autoscaling/v2',
      metadata,
      spec: {
        scaleTargetRef,
        maxReplicas: 3,
        metrics: [
          {
            type: 'Pods',
            pods: { metric: { name: 'q', selector }, target: { type: 'AverageValue', averageValue: '1k' } },
          },
          { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 7 } },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
              metric: { name: 'r' },
              target: { type: 'AverageValue', averageValue: '5' },
            },
          },
          { type: 'External', external: { metric: { name: 'e' }, target: { type: 'Value', value: '9' } } },
          cpu,
        ],
        behavior: {
          scaleDown: {
            selectPolicy: 'Max',
            policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
            tolerance: '500m',
          },
        },
      },
      status: {
        currentReplicas: 1,
        desiredReplicas: 2,
        currentMetrics: [
          { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12, averageValue: '100m' } } },
          { type: 'External', external: { metric: { name: 'e' }, current: { value: '8' } } },
        ],
        conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R' }],
      },
    };
    const [v1, back] = thereAndBack(v2, 'HorizontalPodAutoscaler', 'autoscaling/v2', 'autoscaling/v1');
    assert.deepEqual(v1, {
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: 'x',
        annotations: {
          mine: 'kept',
          'autoscaling.alpha.kubernetes.io/conditions':
            '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"R"}]',
          'autoscaling.alpha.kubernetes.io/metrics':
            '[{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"1k","selector":{"matchLabels":{"a":"\\u003c1\\u003e"},"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}}},' +
            '{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},' +
            '{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":7,"container":"c"}},' +
            '{"type":"Object","object":{"target":{"kind":"Service","name":"s","apiVersion":"v1"},"metricName":"r","targetValue":"0","averageValue":"5"}},' +
            '{"type":"External","external":{"metricName":"e","targetValue":"9"}}]',
          'autoscaling.alpha.kubernetes.io/current-metrics':
            '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":12,"currentAverageValue":"100m"}},' +
            '{"type":"External","external":{"metricName":"e","currentValue":"8"}}]',
          'autoscaling.alpha.kubernetes.io/behavior':
            '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":"500m"}}',
        },
      },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
      status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 12 },
    });
    assert.deepEqual(back, v2);
  });

  it('drops annotations that it cannot read', () => {
    for (const text of [
      '',
      '{',
      '[1]',
      '[{"type":5}]',
      '[{"type":"Pods","pods":{"targetAverageValue":"x"}}]',
      '{}',
      '['.repeat(100_000),
    ]) {
      const v1: JsonObject = {
        metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': text, __proto__: '1' } },
        spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
      };
      const v2 = convert(
        v1,
        kindOf('autoscaling/v1', 'HorizontalPodAutoscaler'),
        kindOf('autoscaling/v2', 'HorizontalPodAutoscaler'),
      );
      assert.deepEqual(v2, {
        apiVersion: 'autoscaling/v2',
        metadata: {},
        spec: { scaleTargetRef, maxReplicas: 3, metrics: [cpu] },
      });
    }
  });
});

describe('event conversion', () => {
  it('renames fields between the core group and events.k8s.io', () => {
    const core: JsonObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'text',
      source: { component: 'c', host: 'h' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:01Z',
      count: 2,
      reportingComponent: 'r',
      reportingInstance: 'i',
      type: 'Normal',
      series: { count: 3, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
    };
    const [events, back] = thereAndBack(core, 'Event', 'v1', 'events.k8s.io/v1');
    assert.deepEqual(events, {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'x' },
      regarding: { kind: 'Pod', name: 'p' },
      note: 'text',
      deprecatedSource: { component: 'c', host: 'h' },
      deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2026-01-01T00:00:01Z',
      deprecatedCount: 2,
      reportingController: 'r',
      reportingInstance: 'i',
      type: 'Normal',
      series: { count: 3, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
    });
    assert.deepEqual(back, core);
  });
});

describe('device request conversion', () => {
  it('nests the fields that v1beta1 keeps flat', () => {
    const claim: JsonObject = {
      apiVersion: 'resource.k8s.io/v1beta1',
      spec: {
        devices: {
          requests: [
            { name: 'a', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 },
            { name: 'b', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
          ],
        },
      },
    };
    const [v1, back] = thereAndBack(claim, 'ResourceClaim', 'resource.k8s.io/v1beta1', 'resource.k8s.io/v1');
    assert.deepEqual(v1, {
      apiVersion: 'resource.k8s.io/v1',
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 } },
            { name: 'b', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
          ],
        },
      },
    });
    assert.deepEqual(back, claim);
    const slice: JsonObject = {
      apiVersion: 'resource.k8s.io/v1',
      spec: { driver: 'd', devices: [{ name: 'a', attributes: { x: { int: 1 } } }] },
    };
    const [basic, again] = thereAndBack(slice, 'ResourceSlice', 'resource.k8s.io/v1', 'resource.k8s.io/v1beta1');
    assert.deepEqual(basic['spec'], {
      driver: 'd',
      devices: [{ name: 'a', basic: { attributes: { x: { int: 1 } } } }],
    });
    assert.deepEqual(again, slice);
  });
});

describe('convert', () => {
  it('converts every kind to its storage version and back', () => {
    for (const facts of resources()) {
      // Upstream stores custom resource definitions in v1beta1, which it no longer serves.
      if (facts.storageVersion === undefined || facts.kind === 'CustomResourceDefinition') continue;
      const stored = kindOf(facts.storageVersion, facts.kind);
      assert.ok(
        canConvert(facts, stored) && canConvert(stored, facts),
        `${facts.group}/${facts.version} ${facts.kind}`,
      );
    }
  });

  it('changes only the version where the shapes are equal', () => {
    const from = kindOf('networking.k8s.io/v1beta1', 'IPAddress');
    const spec = { parentRef: { name: 'x' } };
    const converted = convert({ apiVersion: 'networking.k8s.io/v1beta1', spec }, from, { ...from, version: 'v1' });
    assert.deepEqual(converted, { apiVersion: 'networking.k8s.io/v1', spec });
    assert.equal(converted['spec'], spec);
    assert.ok(resourceOfKind({ ...from, version: 'v1' }));
  });

  it('rejects unknown conversions', () => {
    const from = kindOf('apps/v1', 'Deployment');
    const to = kindOf('extensions/v1beta1', 'Deployment');
    assert.equal(canConvert(from, to), false);
    assert.throws(
      () => convert({}, from, to),
      (error) => {
        assert.ok(error instanceof ConversionError);
        assert.equal(error.message, 'apps/v1 Deployment cannot be converted to extensions/v1beta1 Deployment');
        return true;
      },
    );
    assert.throws(() => convert({}, kindOf('v1', 'Pod'), kindOf('v1', 'Node')), ConversionError);
  });
});
