import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { CSIDriver, CSIStorageCapacity, StorageClass } from '@binnacle/client/kinds/storage/v1';
import {
  answersOf,
  attemptOf,
  claimObject,
  classObject,
  idleBinder,
  nodeState,
  podFacts,
  volumeObject,
  withClaim,
} from '../../testing/index.js';
import { finish } from '@binnacle/apimachinery/work';
import { inSteps, success } from '../../framework/index.js';
import { volumeBinding, type VolumePlan } from '../index.js';

const idle = volumeBinding(idleBinder);
const nodes = ['n1', 'n2'].map((name) => nodeState(name, { labels: { zone: name } }));
const inZone = (zone: string): NonNullable<PersistentVolume['spec']> => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
  },
});
const selected = (node: string): Partial<PersistentVolumeClaim> => ({
  metadata: { namespace: 'default', name: 'c', annotations: { 'volume.kubernetes.io/selected-node': node } },
});
const no = (reason: string) => `UnschedulableAndUnresolvable: ${reason}`;
const NO_VOLUME = no("node(s) didn't find available persistent volumes to bind");
const NOT_REACHED = no("node(s) didn't match PersistentVolume's node affinity");
const LOST = no('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
const NO_SPACE = no('node(s) did not have enough free storage');
const IMMEDIATE = no('pod has unbound immediate PersistentVolumeClaims');
const FITS = 'fits';

const manual = classObject('slow', { provisioner: 'kubernetes.io/no-provisioner' });
const made = classObject('slow');
const limited: StorageClass = classObject('slow', {
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['n1'] }] }],
});
const bound = claimObject('c', { volumeName: 'v' });
const open = claimObject('c');

describe('VolumeBinding', () => {
  for (const [what, claim, classes, volumes, expected] of [
    ['a bound claim', bound, [], [volumeObject('v')], [FITS, FITS]],
    ['a bound claim whose volume is in a zone', bound, [], [volumeObject('v', inZone('n2'))], [NOT_REACHED, FITS]],
    ['a bound claim whose volume is gone', bound, [], [], [LOST, LOST]],
    ['a claim without a class', claimObject('c', { storageClassName: '' }), [], [], [IMMEDIATE, IMMEDIATE]],
    ['a claim of an unknown class', open, [], [], [IMMEDIATE, IMMEDIATE]],
    [
      'a claim that is bound at once',
      open,
      [classObject('slow', { volumeBindingMode: 'Immediate' })],
      [],
      [IMMEDIATE, IMMEDIATE],
    ],
    [
      'a claim that names a free volume',
      claimObject('c', { volumeName: 'v' }, { metadata: open.metadata }),
      [made],
      [],
      [IMMEDIATE, IMMEDIATE],
    ],
    ['an open claim, and a volume', open, [manual], [volumeObject('v')], [FITS, FITS]],
    ['an open claim, and a volume in a zone', open, [manual], [volumeObject('v', inZone('n1'))], [FITS, NO_VOLUME]],
    ['an open claim, and no volume', open, [manual], [], [NO_VOLUME, NO_VOLUME]],
    ['a claim that a provisioner can serve', open, [made], [], [FITS, FITS]],
    ['a provisioner of some zones', open, [limited], [], [FITS, NO_VOLUME]],
    [
      'a claim with a selected node',
      claimObject('c', {}, selected('n2')),
      [made],
      [volumeObject('v')],
      [NO_VOLUME, FITS],
    ],
  ] as const) {
    it(`${what}: ${expected.join(' | ')}`, () => {
      const pod = podFacts('p', { spec: withClaim('c') });
      assert.deepEqual(
        Object.values(answersOf(idle, pod, nodes, { storage: { claims: [claim], classes, volumes } })),
        expected,
      );
    });
  }

  const driver = (storageCapacity: boolean): CSIDriver => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'csi.example.com' },
    spec: { storageCapacity },
  });
  const capacity = (size: Partial<CSIStorageCapacity>, zone = 'n1'): CSIStorageCapacity => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: { name: zone },
    storageClassName: 'slow',
    nodeTopology: { matchLabels: { zone } },
    ...size,
  });
  for (const [what, drivers, capacities, expected] of [
    ['a driver that does not report', driver(false), [], [FITS, FITS]],
    ['no report', driver(true), [], [NO_SPACE, NO_SPACE]],
    ['enough on one node', driver(true), [capacity({ capacity: '1Gi' })], [FITS, NO_SPACE]],
    ['too little', driver(true), [capacity({ capacity: '1Mi' })], [NO_SPACE, NO_SPACE]],
    [
      'enough, in volumes that are too small',
      driver(true),
      [capacity({ capacity: '1Ti', maximumVolumeSize: '1Mi' })],
      [NO_SPACE, NO_SPACE],
    ],
    ['enough that no node reaches', driver(true), [capacity({ capacity: '1Ti' }, 'n9')], [NO_SPACE, NO_SPACE]],
  ] as const) {
    it(`storage capacity, ${what}: ${expected.join(' | ')}`, () => {
      const storage = { claims: [open], classes: [made], drivers: [drivers], capacities };
      assert.deepEqual(
        Object.values(answersOf(idle, podFacts('p', { spec: withClaim('c') }), nodes, { storage })),
        expected,
      );
    });
  }

  const ephemeral = podFacts('p', { spec: { volumes: [{ name: 'v', ephemeral: {} }] } });
  const ofPod = podFacts('p', { spec: withClaim('c') });
  for (const [what, pod, claims, reason] of [
    ['a missing claim', ofPod, [], 'persistentvolumeclaim "c" not found'],
    [
      'a claim of an ephemeral volume that is to come',
      ephemeral,
      [],
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-v"',
    ],
    [
      'a claim of another pod',
      ephemeral,
      [claimObject('p-v')],
      'PVC default/p-v was not created for pod default/p (pod is not owner)',
    ],
    [
      'a lost claim',
      ofPod,
      [claimObject('c', { volumeName: 'v' }, { status: { phase: 'Lost' } })],
      'persistentvolumeclaim "c" bound to non-existent persistentvolume "v"',
    ],
    [
      'a claim on its way out',
      ofPod,
      [claimObject('c', {}, { metadata: { ...open.metadata, deletionTimestamp: '2027-01-01T00:00:00Z' } })],
      'persistentvolumeclaim "c" is being deleted',
    ],
  ] as const) {
    it(`${what}: ${reason}`, () =>
      assert.equal(answersOf(idle, pod, nodes, { storage: { claims } })['n1'], no(reason)));
  }

  it('gives each claim of a pod a volume of its own, the small claims first', async () => {
    const steps: string[] = [];
    const text = ({ bindings, provisions }: VolumePlan) =>
      [
        ...bindings.map(({ claim, volume }) => `${claim.metadata.name} has ${volume.metadata.name}`),
        ...provisions.map(({ metadata }) => `${metadata.name} is made`),
      ].join(', ');
    const plugin = volumeBinding({
      assume: (plan, node) => {
        steps.push(`assume ${text(plan)} on ${node}`);
        return plan;
      },
      revert: (plan) => void steps.push(`revert ${text(plan)}`),
      bind: async (plan) => void steps.push(`bind ${text(plan)}`),
    });
    const large = { resources: { requests: { storage: '5Gi' } } };
    const claims = [claimObject('large', large), claimObject('small'), claimObject('third')];
    const volumes = [volumeObject('v5', { capacity: { storage: '5Gi' } }), volumeObject('v1')];
    const pod = podFacts('p', { spec: withClaim('large', 'small', 'third') });
    const attempt = attemptOf(pod, nodes, { storage: { claims, volumes, classes: [made] } });
    finish(inSteps(plugin.preFilter?.(attempt) ?? { status: success }));
    for (const node of nodes) finish(inSteps(plugin.filter?.(attempt, node) ?? success));
    plugin.reserve?.(attempt, 'n2');
    await plugin.preBind?.(attempt, 'n2', new AbortController().signal);
    plugin.unreserve?.(attempt, 'n2');
    const plan = 'small has v1, third has v5, large is made';
    assert.deepEqual(steps, [`assume ${plan} on n2`, `bind ${plan}`, `revert ${plan}`]);
  });
});
