/** The control loops of a default server, seen through kubectl. Each step depends on the ones before. */
import assert from 'node:assert/strict';
import { definition } from '../custom-resources/definition.mjs';

/** In running order: `{ name, run(kubectl) }`. */
export const loopSteps = [];
const step = (name, run) => loopSteps.push({ name, run });

const boat = (name, metadata = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Boat',
  metadata: { name, namespace: 'harbour', ...metadata },
});

const create = (kubectl, object) => kubectl.run(['create', '-f', '-'], { input: JSON.stringify(object) });

step('delete a namespace with all that is in it', async (kubectl) => {
  await create(kubectl, definition({ plural: 'boats', kind: 'Boat' }));
  await kubectl.run(['wait', '--for=condition=Established', 'crd/boats.example.com', '--timeout=30s']);
  await kubectl.run(['create', 'namespace', 'harbour']);
  await kubectl.run(['create', 'configmap', 'chart', '-n', 'harbour']);
  await create(kubectl, boat('ferry'));
  await kubectl.prints(['delete', 'namespace', 'harbour', '--timeout=60s'], /^namespace "harbour" deleted/m);
  assert.match(await kubectl.fails(['get', 'namespace', 'harbour']), /namespaces "harbour" not found/);

  await kubectl.run(['create', 'namespace', 'harbour']);
  assert.equal(await kubectl.run(['get', 'boats', '-n', 'harbour', '-o', 'name']), '');
  assert.doesNotMatch(await kubectl.run(['get', 'configmaps', '-n', 'harbour', '-o', 'name']), /chart/);
});

step('see what holds a namespace, and let it go', async (kubectl) => {
  await create(kubectl, boat('wreck', { finalizers: ['example.com/salvage'] }));
  const deletion = kubectl.start(['delete', 'namespace', 'harbour', '--timeout=60s']);
  await deletion.printed(/"harbour" deleted/);
  await kubectl.run(['wait', '--for=condition=NamespaceFinalizersRemaining', 'namespace/harbour', '--timeout=60s']);
  await kubectl.prints(
    [
      'get',
      'namespace',
      'harbour',
      '-o',
      'jsonpath={.status.phase}{"\\n"}{range .status.conditions[*]}{.message}{"\\n"}{end}',
    ],
    [
      /^Terminating$/m,
      /^Some resources are remaining: boats\.example\.com has 1 resource instances$/m,
      /^Some content in the namespace has finalizers remaining: example\.com\/salvage in 1 resource instances$/m,
    ],
  );
  await kubectl.run([
    'patch',
    'boat',
    'wreck',
    '-n',
    'harbour',
    '--type=merge',
    '-p',
    '{"metadata":{"finalizers":null}}',
  ]);
  assert.equal((await deletion.ended).code, 0);
  assert.match(await kubectl.fails(['get', 'namespace', 'harbour']), /namespaces "harbour" not found/);
});

step('add to what everybody may do who views', async (kubectl) => {
  await create(kubectl, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'boats', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    rules: [{ apiGroups: ['example.com'], resources: ['boats'], verbs: ['get', 'list', 'watch'] }],
  });
  await kubectl.run(['create', 'rolebinding', 'guest', '--clusterrole=view', '--user=guest', '-n', 'default']);
  const mayLook = ['auth', 'can-i', 'list', 'boats.example.com', '--as=guest', '-n', 'default'];
  let answer = '';
  for (let tries = 0; tries < 50 && answer !== 'yes'; tries++) {
    answer = (await kubectl.start(mayLook).ended).stdout.trim();
  }
  assert.equal(answer, 'yes');
});

step('run a deployment and a job on simulated nodes', async (kubectl) => {
  await kubectl.run(['create', 'deployment', 'web', '--image=nginx', '--replicas=3']);
  await kubectl.prints(['rollout', 'status', 'deployment/web', '--timeout=60s'], /successfully rolled out/);
  const pods = await kubectl.run(['get', 'pods', '-l', 'app=web', '-o', 'wide', '--no-headers']);
  assert.equal(pods.match(/ 1\/1 +Running +0 .* 10\.\S+ +node-[012] /g)?.length, 3, pods);
  await kubectl.run(['create', 'job', 'errand', '--image=busybox']);
  await kubectl.run(['wait', '--for=condition=complete', 'job/errand', '--timeout=60s']);
  await kubectl.run(['delete', 'deployment/web', '--timeout=60s']);
  await kubectl.run(['wait', '--for=delete', 'pods', '-l', 'app=web', '--timeout=60s']);
});
