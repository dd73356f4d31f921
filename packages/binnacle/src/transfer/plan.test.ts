import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { itemOf, itemText } from './item.js';
import { planImport } from './plan.js';

/** `apiVersion/kind namespace/name`, with what the test is about. */
function object(text: string, metadata: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const [, apiVersion = '', kind = '', namespace, name = ''] = /^(.*)\/(\w+) (?:(.*)\/)?(.*)$/.exec(text) ?? [];
  const space: JsonObject = namespace === undefined ? {} : { namespace };
  return { apiVersion, kind, metadata: { name, ...space, ...metadata }, ...more };
}

const ownedBy = (apiVersion: string, kind: string, name: string, uid: string): { ownerReferences: JsonValue } => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
});

const planOf = (objects: readonly JsonObject[], withSecrets = false) =>
  planImport(objects.map(itemOf), { withSecrets });
const stagesOf = (objects: readonly JsonObject[], withSecrets = false): string[] =>
  planOf(objects, withSecrets).stages.map((stage) => stage.map(itemText).join(', '));

describe('the plan of an import', () => {
  it('begins with definitions and namespaces, and ends with what could refuse the others', () => {
    assert.deepEqual(
      stagesOf(
        [
          object('admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration hook'),
          object('v1/ResourceQuota shop/quota'),
          object('example.com/v1/Widget shop/w'),
          object('apps/v1/Deployment shop/web'),
          object('v1/ServiceAccount shop/robot'),
          object('v1/Secret shop/key', {}, { type: 'Opaque' }),
          object('v1/Namespace shop'),
          object('apiextensions.k8s.io/v1/CustomResourceDefinition widgets.example.com'),
        ],
        true,
      ),
      [
        'CustomResourceDefinition.apiextensions.k8s.io widgets.example.com',
        'Namespace shop',
        'ServiceAccount shop/robot, Secret shop/key',
        'Widget.example.com shop/w, Deployment.apps shop/web',
        'ValidatingWebhookConfiguration.admissionregistration.k8s.io hook, ResourceQuota shop/quota',
      ],
    );
  });

  it('has owners before their dependents, whatever their kinds', () => {
    assert.deepEqual(
      stagesOf([
        object('v1/ConfigMap a/settings', { uid: '4', ...ownedBy('apps/v1', 'Deployment', 'web', '1') }),
        object('v1/Pod a/web-1-x', { uid: '3', ...ownedBy('apps/v1', 'ReplicaSet', 'web-1', '2') }),
        object('apps/v1/ReplicaSet a/web-1', { uid: '2', ...ownedBy('apps/v1', 'Deployment', 'web', '1') }),
        object('apps/v1/Deployment a/web', { uid: '1' }),
      ]),
      ['Deployment.apps a/web', 'ConfigMap a/settings, ReplicaSet.apps a/web-1', 'Pod a/web-1-x'],
    );
  });

  it('finds owners by name where manifests have no UIDs, in the namespace or in none', () => {
    assert.deepEqual(
      stagesOf([
        object('v1/Event2 a/one', ownedBy('v1', 'Node', 'n', 'old')),
        object('v1/Pod a/two', ownedBy('apps/v1', 'ReplicaSet', 'r', 'old')),
        object('apps/v1/ReplicaSet a/r'),
        object('apps/v1/ReplicaSet b/r', ownedBy('apps/v1', 'ReplicaSet', 'absent', '')),
        object('v1/Node n'),
      ]),
      ['Node n', 'Event2 a/one, ReplicaSet.apps a/r, ReplicaSet.apps b/r', 'Pod a/two'],
    );
  });

  it('ends for a circle of owners, and for a chain that is long', () => {
    const circle = [
      object('v1/A a/one', { uid: '1', ...ownedBy('v1', 'A', 'two', '2') }),
      object('v1/A a/two', { uid: '2', ...ownedBy('v1', 'A', 'one', '1') }),
      object('v1/A a/self', { uid: '3', ...ownedBy('v1', 'A', 'self', '3') }),
    ];
    assert.equal(planOf(circle).stages.flat().length, 3);
    const chain = Array.from({ length: 5_000 }, (_, index) =>
      object(`v1/A a/n${index}`, { uid: `${index}`, ...ownedBy('v1', 'A', `n${index + 1}`, `${index + 1}`) }),
    );
    const { stages } = planOf(chain);
    assert.deepEqual([stages.length, stages[0]?.[0]?.name], [5_000, 'n4999']);
  });

  it('ends for an object that names one owner 200,000 times', () => {
    const owner = object('v1/ConfigMap a/owner', { uid: '1' });
    const [reference] = [ownedBy('v1', 'ConfigMap', 'owner', '1').ownerReferences].flat();
    const owned = object('v1/ConfigMap a/owned', {
      ownerReferences: Array.from({ length: 200_000 }, () => reference ?? {}),
    });
    assert.deepEqual(stagesOf([owned, owner]), ['ConfigMap a/owner', 'ConfigMap a/owned']);
  });

  it('moves objects of kinds with the names of methods of all objects', () => {
    const kinds = ['constructor', 'toString', '__proto__'].map((kind) => object(`v1/${kind} a/one`));
    assert.equal(planOf(kinds).leftOut.size, 0);
  });

  it('leaves out what a server makes itself, and says why', () => {
    const label = (name: string, value: string): JsonObject => ({ labels: { [name]: value } });
    const out = [
      object('v1/Event a/e'),
      object('events.k8s.io/v1/Event a/e'),
      object('coordination.k8s.io/v1/Lease kube-node-lease/node-0'),
      object('v1/Secret a/key'),
      object('v1/Secret a/token', {}, { type: 'kubernetes.io/service-account-token' }),
      object('v1/ConfigMap a/kube-root-ca.crt'),
      object('v1/Service default/kubernetes'),
      object('v1/Endpoints default/kubernetes'),
      object('v1/Endpoints a/web'),
      object(
        'discovery.k8s.io/v1/EndpointSlice a/web-1',
        label('endpointslice.kubernetes.io/managed-by', 'endpointslice-controller.k8s.io'),
      ),
      object('rbac.authorization.k8s.io/v1/ClusterRole admin', label('kubernetes.io/bootstrapping', 'rbac-defaults')),
      object('flowcontrol.apiserver.k8s.io/v1/FlowSchema catch-all', {
        annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' },
      }),
      object(
        'apiregistration.k8s.io/v1/APIService v1.apps',
        label('kube-aggregator.kubernetes.io/automanaged', 'true'),
      ),
      object('scheduling.k8s.io/v1/PriorityClass system-node-critical'),
      object('v1/Pod kube-system/etcd-0', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      object('v1/Pod a/going', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ];
    const kept = [
      object('v1/Service a/web', {}, { spec: { selector: { app: 'web' } } }),
      object('v1/Service a/outside', {}, { spec: {} }),
      object('v1/Endpoints a/outside'),
      object('discovery.k8s.io/v1/EndpointSlice a/mine'),
      object('rbac.authorization.k8s.io/v1/ClusterRole mine'),
      object('flowcontrol.apiserver.k8s.io/v1/FlowSchema mine', {
        annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' },
      }),
      object('v1/ConfigMap a/kube-root'),
      object('v1/Service a/kubernetes', {}, { spec: {} }),
    ];
    const plan = planOf([...out, ...kept]);
    assert.deepEqual(plan.stages.flat().map(itemText).sort(), kept.map(itemOf).map(itemText).sort());
    assert.equal(
      [...plan.leftOut.values()].reduce((sum, count) => sum + count),
      out.length,
    );
    assert.equal(plan.leftOut.get('Secrets, which --secrets includes'), 1);
    const withSecrets = planOf([...out, ...kept], true);
    assert.ok(withSecrets.stages.flat().some(({ name }) => name === 'key'));
    assert.ok(!withSecrets.stages.flat().some(({ name }) => name === 'token'));
  });

  it('has the first of several objects with one name', () => {
    const plan = planOf([object('v1/ConfigMap a/c', { uid: '1' }), object('v1/ConfigMap a/c', { uid: '2' })]);
    assert.deepEqual(
      [plan.stages.flat().map(({ uid }) => uid), [...plan.leftOut]],
      [['1'], [['given more than once', 1]]],
    );
  });
});
