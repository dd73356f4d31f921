/**
 * CPU of a decision by RBAC, in microseconds, with 10 to 10,000 role bindings in the cache: of a user that one of them names, of a user that none
 * names, and of the first decision after one binding has changed. `node bench/micro/authorization.mjs [--bindings 10,1000,10000] [--decisions 200000]`
 */
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { print, toDigits } from '../support/figures.mjs';

const dist = (room) => pathToFileURL(resolve(`packages/apiserver/dist/${room}/index.js`)).href;
const { rbacAuthorizer, SubjectIndex } = await import(dist('authorization'));

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10,1000,10000' },
    decisions: { type: 'string', default: '200000' },
  },
});
const decisions = Number(values.decisions);

const role = { rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'configmaps'] }] };
const binding = (index) => ({
  metadata: { name: `binding-${String(index).padStart(6, '0')}` },
  roleRef: { kind: 'ClusterRole', name: 'reader' },
  subjects: [
    { kind: 'User', name: `user-${index}` },
    { kind: 'Group', name: `team-${index % 500}` },
  ],
});
const asked = (name) => ({
  user: { name, uid: '', groups: ['team-501', 'system:authenticated'], extra: {} },
  verb: 'get',
  isResourceRequest: true,
  namespace: 'default',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: 'a',
  path: '/api/v1/namespaces/default/pods/a',
});

function microseconds(count, run) {
  const start = process.cpuUsage();
  for (let index = 0; index < count; index++) run();
  const { user, system } = process.cpuUsage(start);
  return toDigits((user + system) / count, 3);
}

for (const count of values.bindings.split(',').map(Number)) {
  const bindings = Array.from({ length: count }, (_, index) => binding(index));
  const index = new SubjectIndex();
  index.update(bindings);
  const source = {
    clusterRole: () => role,
    role: () => undefined,
    clusterRoleBindings: (user) => index.bindingsOf(user, ''),
    roleBindings: () => [],
  };
  const authorizer = rbacAuthorizer(source);
  const [named, unnamed] = [asked(`user-${count - 1}`), asked('nobody')];
  for (const each of [named, unnamed]) microseconds(decisions / 10, () => authorizer.authorize(each));
  print({
    bench: 'rbac-decision',
    bindings: count,
    allowedUs: microseconds(decisions, () => authorizer.authorize(named)),
    noOpinionUs: microseconds(decisions, () => authorizer.authorize(unnamed)),
    afterAChangeUs: microseconds(20, () => {
      bindings[0] = binding(0);
      index.update(bindings);
      authorizer.authorize(named);
    }),
  });
}
