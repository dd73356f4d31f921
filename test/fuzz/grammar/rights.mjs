import { bodyOf, patchBodyOf } from './bodies.mjs';

const GROUP = 'rbac.authorization.k8s.io';

/** A user who may write roles and bindings, and must not gain more than {@link grants} by that. */
export const ordinaryUser = 'ordinary';

export const grants = [
  { apiGroups: [GROUP], resources: ['*'], verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
];

/** No other part of the grammar grants these. */
export const forbidden = [
  { verb: 'get', resource: 'secrets' },
  { verb: 'delete', resource: 'nodes' },
  { verb: 'impersonate', resource: 'users' },
  { verb: 'escalate', resource: 'clusterroles', group: GROUP },
  { verb: 'bind', resource: 'clusterroles', group: GROUP },
  { verb: 'delete', resource: 'configmaps' },
];

const rule = (random) => ({
  apiGroups: [random.pick(['', '', '*', GROUP])],
  resources: [random.pick(['configmaps', 'secrets', 'nodes', 'users', 'clusterroles', '*', '*/status'])],
  verbs: [random.pick(['get', 'list', 'delete', '*', 'escalate', 'bind', 'impersonate'])],
  ...(random.chance(0.2) ? { resourceNames: [random.pick(['a', 'cluster-admin', ''])] } : {}),
});

const subject = (random) =>
  random.pick([
    { kind: 'User', apiGroup: GROUP, name: ordinaryUser },
    { kind: 'Group', apiGroup: GROUP, name: 'system:authenticated' },
    { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
    { kind: 'User', name: ordinaryUser },
  ]);

function roleOf(random, kind, metadata) {
  const aggregates = kind === 'ClusterRole' && random.chance(0.2);
  return {
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: random.chance(0.2) ? { ...metadata, labels: { app: 'web' } } : metadata,
    rules: Array.from({ length: random.integer(0, 2) }, () => rule(random)),
    ...(aggregates
      ? { aggregationRule: { clusterRoleSelectors: [random.pick([{}, { matchLabels: { app: 'web' } }])] } }
      : {}),
  };
}

function bindingOf(random, kind, metadata) {
  const roleRef = {
    apiGroup: GROUP,
    kind: kind === 'ClusterRoleBinding' ? 'ClusterRole' : random.pick(['Role', 'ClusterRole']),
    name: random.pick(['a', 'b', 'c', 'cluster-admin', 'admin', 'edit', 'system:node', 'none']),
  };
  return { apiVersion: `${GROUP}/v1`, kind, metadata, roleRef, subjects: [subject(random)] };
}

/** A write of a role or a binding by {@link ordinaryUser}. */
export function rightsRequest(random, namespace, headers, mischief) {
  const kind = random.pick(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
  const name = random.pick(['a', 'b', 'c', 'cluster-admin', 'view']);
  const value = kind.endsWith('Binding') ? bindingOf(random, kind, { name }) : roleOf(random, kind, { name });
  const within = kind.startsWith('Cluster') ? '' : `/namespaces/${namespace}`;
  const collection = `/apis/${GROUP}/v1${within}/${kind.toLowerCase()}s`;
  const own = { ...headers, 'impersonate-user': ordinaryUser };
  delete own['impersonate-group'];
  const method = random.weighted({ POST: 4, PUT: 3, PATCH: 4 });
  if (method !== 'PATCH') {
    const { type, body } = bodyOf(random, value, {}, mischief);
    const path = method === 'POST' ? collection : `${collection}/${name}`;
    return { method, path, headers: { ...own, 'content-type': type }, body };
  }
  const patch = random.pick([
    { type: 'application/apply-patch+yaml', value },
    {
      type: 'application/merge-patch+json',
      value: { rules: value.rules, subjects: value.subjects, roleRef: value.roleRef },
    },
    { type: 'application/strategic-merge-patch+json', value: { rules: value.rules, subjects: value.subjects } },
    { type: 'application/json-patch+json', value: [{ op: 'add', path: '/rules', value: [rule(random)] }] },
    { type: 'application/json-patch+json', value: [{ op: 'copy', from: '/rules', path: '/rules/0/verbs' }] },
    {
      type: 'application/merge-patch+json',
      value: { metadata: { labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } } },
    },
  ]);
  const { type, body } = patchBodyOf(random, patch, mischief);
  const force = type.includes('apply') ? '&force=true' : '';
  const path = `${collection}/${name}?fieldManager=fuzz${force}`;
  return { method, path, headers: { ...own, 'content-type': type }, body };
}
