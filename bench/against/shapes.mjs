/** The kinds of objects that are measured. Each body names its object, so that it can be created, replaced and applied. */
import { objectsOf, collection as configMaps, pathOf } from '../support/objects.mjs';
import { podName, podOf, pods } from '../support/pods.mjs';
import { nameOfWidget, widgetDefinition, widgetOf, widgets } from './widgets.mjs';

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const leaseName = (index) => `lease-${index}`;

/** A pod of one container: 3.9 KB as served. */
function smallPod(index) {
  const pod = JSON.parse(podOf(index));
  pod.spec.containers.length = 1;
  // Outside a cluster nothing makes the service account.
  pod.spec.automountServiceAccountToken = false;
  return pod;
}

const account = { metadata: { name: 'default' } };
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const leaseOf = (index) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: leaseName(index) },
  spec: { holderIdentity: leaseName(index), leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
});

/**
 * `collection`: its path; `path(index)` of an object; `body(index)`: an object; `strategic`: whether the kind takes strategic merge patches;
 * `needs`: what must exist first, as pairs of a collection and an object.
 */
export const shapesOf = (kilobytes) => ({
  pods: {
    collection: pods,
    path: (index) => `${pods}/${podName(index)}`,
    body: smallPod,
    strategic: true,
    needs: [[accounts, account]],
  },
  configmaps: {
    collection: configMaps,
    path: pathOf,
    body: (index) => JSON.parse(objectsOf(kilobytes)(index, 0)),
    strategic: true,
    needs: [],
  },
  leases: {
    collection: leases,
    path: (index) => `${leases}/${leaseName(index)}`,
    body: leaseOf,
    strategic: true,
    needs: [],
  },
  widgets: {
    collection: widgets,
    path: (index) => `${widgets}/${nameOfWidget(index)}`,
    body: (index) => widgetOf(index, kilobytes),
    strategic: false,
    needs: [[definitions, widgetDefinition]],
  },
});
