import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, NodeSelectorRequirement, PodSpec } from '@binnacle/client/kinds/core/v1';
import { newPod } from './daemon-pods.js';
import { daemonSet } from './daemonset.testing.js';
import { fitOf } from './node-fit.js';

const labels = { zone: 'north', rank: '5' };

function node(taints: NonNullable<Node['spec']>['taints'] = []): Node {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels }, spec: { taints } };
}

function setWith(spec: Partial<PodSpec>) {
  return daemonSet({ template: { spec: { containers: [], ...spec } } });
}

function affinity(
  ...nodeSelectorTerms: { matchExpressions?: NodeSelectorRequirement[]; matchFields?: NodeSelectorRequirement[] }[]
) {
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

const expression = (key: string, operator: NodeSelectorRequirement['operator'], ...values: string[]) =>
  affinity({ matchExpressions: [{ key, operator, values }] });

describe('a node fits', () => {
  for (const [what, spec, fits] of [
    ['any template', {}, true],
    ['its name', { nodeName: 'n1' }, true],
    ['not another name', { nodeName: 'n2' }, false],
    ['its labels', { nodeSelector: { zone: 'north' } }, true],
    ['not other labels', { nodeSelector: { zone: 'south' } }, false],
    ['In', expression('zone', 'In', 'south', 'north'), true],
    ['not In', expression('zone', 'In', 'south'), false],
    ['NotIn without the label', expression('other', 'NotIn', 'x'), true],
    ['not NotIn', expression('zone', 'NotIn', 'north'), false],
    ['Exists', expression('zone', 'Exists'), true],
    ['not Exists', expression('__proto__', 'Exists'), false],
    ['DoesNotExist', expression('other', 'DoesNotExist'), true],
    ['not DoesNotExist', expression('zone', 'DoesNotExist'), false],
    ['Gt', expression('rank', 'Gt', '4'), true],
    ['not Gt', expression('rank', 'Gt', '5'), false],
    ['Lt', expression('rank', 'Lt', '6'), true],
    ['not Lt of a word', expression('zone', 'Lt', '6'), false],
    [
      'one of two terms',
      affinity(
        { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n2'] }] },
        { matchExpressions: [{ key: 'zone', operator: 'Exists' }] },
      ),
      true,
    ],
    ['a field', affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }), true],
    ['not an empty term', affinity({}), false],
  ] as const satisfies readonly (readonly [string, Partial<PodSpec>, boolean])[]) {
    it(what, () => assert.deepEqual(fitOf(setWith(spec), node()), { shouldRun: fits, mayStay: fits }));
  }

  for (const [key, effect, tolerations, shouldRun, mayStay] of [
    ['x', 'NoSchedule', [], false, true],
    ['x', 'NoExecute', [], false, false],
    ['x', 'PreferNoSchedule', [], true, true],
    ['x', 'NoSchedule', [{ key: 'x', operator: 'Exists' }], true, true],
    ['x', 'NoSchedule', [{ key: 'x', value: 'v' }], true, true],
    ['x', 'NoSchedule', [{ key: 'x', value: 'other' }], false, true],
    ['x', 'NoSchedule', [{ key: 'x', operator: 'Exists', effect: 'NoExecute' }], false, true],
    ['x', 'NoExecute', [{ operator: 'Exists' }], true, true],
    ['node.kubernetes.io/not-ready', 'NoSchedule', [], false, true],
    ['node.kubernetes.io/not-ready', 'NoExecute', [], true, true],
    ['node.kubernetes.io/unschedulable', 'NoSchedule', [], true, true],
  ] as const) {
    it(`the taint ${key}:${effect} with [${tolerations.map((one) => Object.values(one).join(' ')).join()}]: ${shouldRun}, ${mayStay}`, () => {
      assert.deepEqual(fitOf(setWith({ tolerations }), node([{ key, effect, value: 'v' }])), { shouldRun, mayStay });
    });
  }
});

describe('the pod for a node', () => {
  it('has the affinity, the tolerations and the labels of a daemon', () => {
    const annotations = { 'deprecated.daemonset.template.generation': '3' };
    const template = {
      metadata: { labels: { app: 'agent' } },
      spec: {
        containers: [],
        hostNetwork: true,
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
        ],
        ...expression('zone', 'Exists'),
      },
    } as const;
    const { metadata, spec } = newPod(daemonSet({ template }, { annotations }), 'n1', 'abc');
    assert.deepEqual(metadata.labels, {
      app: 'agent',
      'pod-template-generation': '3',
      'controller-revision-hash': 'abc',
    });
    assert.deepEqual(
      spec?.affinity,
      affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }).affinity,
    );
    const tolerated = spec?.tolerations?.map(({ key = '', tolerationSeconds }) => [
      key.split('/')[1],
      tolerationSeconds,
    ]);
    assert.deepEqual(
      tolerated,
      [
        'not-ready',
        'unreachable',
        'disk-pressure',
        'memory-pressure',
        'pid-pressure',
        'unschedulable',
        'network-unavailable',
      ].map((key) => [key, undefined]),
    );
  });
});
