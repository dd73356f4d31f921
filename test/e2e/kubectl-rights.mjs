/**
 * Granting rights with kubectl: roles and bindings that give more than their writer holds are refused, also through
 * `auth reconcile`. Each step depends on the ones before.
 */
import assert from 'node:assert/strict';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const refusal = /is attempting to grant RBAC permissions not currently held/;
const asAlice = ['--as', 'alice'];

/** In running order: `{ name, run(kubectl) }`. */
export const rightsSteps = [];
const step = (name, run) => rightsSteps.push({ name, run });

/** A file with a role for `resource` and its binding to alice. */
function rolesFile(kubectl, resource) {
  const name = `reads-${resource}`;
  const metadata = { name, namespace: 'default' };
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: [resource] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }];
  const items = [
    { apiVersion, kind: 'Role', metadata, rules },
    { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects },
  ];
  return kubectl.file(`${name}.json`, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

step('a writer of roles is made', async (kubectl) => {
  const resources = 'roles,clusterroles,rolebindings,clusterrolebindings';
  await kubectl.run(['create', 'clusterrole', 'writer', '--verb=get,create,update,patch', `--resource=${resources}`]);
  await kubectl.run(['create', 'clusterrole', 'reader', '--verb=get', '--resource=configmaps']);
  await kubectl.run(['create', 'clusterrolebinding', 'writer', '--clusterrole=writer', '--user=alice']);
  await kubectl.run(['create', 'clusterrolebinding', 'reader', '--clusterrole=reader', '--user=alice']);
});

step('it does not make itself an administrator', async (kubectl) => {
  const binding = ['create', 'clusterrolebinding', 'evil', '--clusterrole=cluster-admin', '--user=alice'];
  assert.match(await kubectl.fails([...binding, ...asAlice]), refusal);
  const role = ['create', 'role', 'evil', '--verb=get', '--resource=secrets'];
  assert.match(await kubectl.fails([...role, ...asAlice]), refusal);
  assert.match(await kubectl.run(['auth', 'can-i', 'get', 'secrets', ...asAlice], { code: 1 }), /^no/);
});

step('it reconciles the roles whose rights it holds, and no others', async (kubectl) => {
  const reconcile = (resource) => ['auth', 'reconcile', '-f', rolesFile(kubectl, resource), ...asAlice];
  await kubectl.run(reconcile('configmaps'));
  await kubectl.run(reconcile('configmaps'));
  assert.match(await kubectl.fails(reconcile('secrets')), refusal);
});

step('an administrator reconciles all', async (kubectl) => {
  await kubectl.run(['auth', 'reconcile', '-f', rolesFile(kubectl, 'secrets')]);
  await kubectl.prints(['auth', 'can-i', 'get', 'secrets', ...asAlice], /^yes/);
});
