/** The two resources of the traffic, and what of their objects the model looks at. */

export const namespaces = ['model-a', 'model-b'];
export const names = ['k0', 'k1', 'k2', 'k3'];
export const tiers = ['a', 'b', 'c'];
export const finalizer = 'model.test/hold';

/**
 * `payload` is the map of strings in which an object keeps its tokens. `createsOnUpdate`: a PUT creates an absent
 * object; `replacesBlindly`: a PUT needs no resourceVersion. Both follow upstream's strategy for the kind.
 */
export const resources = [
  {
    name: 'configmaps',
    root: '/api/v1',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    createsOnUpdate: false,
    replacesBlindly: true,
    withPayload: (object, payload) => ({ ...object, data: payload }),
    payloadOf: (object) => object.data ?? {},
  },
  {
    name: 'leases',
    root: '/apis/coordination.k8s.io/v1',
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    createsOnUpdate: true,
    replacesBlindly: false,
    withPayload: (object, payload) => ({ ...object, metadata: { ...object.metadata, annotations: payload } }),
    payloadOf: (object) => object.metadata.annotations ?? {},
  },
];

export const resourceNamed = (name) => resources.find((resource) => resource.name === name);

/** Every object that writers touch, as `namespace/name`. */
export const keys = namespaces.flatMap((namespace) => names.map((name) => `${namespace}/${name}`));

export function collectionPath(resource, namespace) {
  return namespace === ''
    ? `${resource.root}/${resource.name}`
    : `${resource.root}/namespaces/${namespace}/${resource.name}`;
}

export function objectPath(resource, key) {
  const [namespace, name] = key.split('/');
  return `${collectionPath(resource, namespace)}/${name}`;
}

export const keyOf = (object) => `${object.metadata.namespace}/${object.metadata.name}`;
export const revisionOf = (object) => Number(object.metadata.resourceVersion);

/** The modelled parts of an object without its revision, as text, so that equal objects have equal texts. */
export function bodyOf(resource, object) {
  const { uid, creationTimestamp, deletionTimestamp, finalizers, labels } = object.metadata;
  return JSON.stringify({
    uid,
    created: creationTimestamp,
    deleting: deletionTimestamp !== undefined,
    finalizers: finalizers ?? [],
    labels: sorted(labels ?? {}),
    payload: sorted(resource.payloadOf(object)),
  });
}

export function sorted(map) {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The selectors of readers and watchers: the query, and whether it matches a key with these labels. */
export const selectors = {
  '': { query: {}, selects: () => true },
  'tier=a': { query: { labelSelector: 'tier=a' }, selects: (_, labels) => labels.tier === 'a' },
  'tier!=b': { query: { labelSelector: 'tier!=b' }, selects: (_, labels) => labels.tier !== 'b' },
  'tier in (a,c)': {
    query: { labelSelector: 'tier in (a,c)' },
    selects: (_, labels) => labels.tier === 'a' || labels.tier === 'c',
  },
  'name=k0': { query: { fieldSelector: 'metadata.name=k0' }, selects: (key) => key.endsWith('/k0') },
};

/** Whether `{ namespace, selector }` includes this key, and with these labels. */
export const inNamespace = (scope, key) => scope.namespace === '' || key.startsWith(`${scope.namespace}/`);
