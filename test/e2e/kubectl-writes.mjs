/**
 * Exact effects of kubectl's writes: which fields a command changes and keeps, and how a client of another version
 * continues. Uses the manifests of examples/web-shop. Each step depends on the ones before, and gets two clients: the
 * one under test and another.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  finishDeletion,
  settleBudget,
  settleDeployment,
  settleNamespace,
  settleQuota,
  startPod,
} from './control-loops.mjs';

const examples = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples', 'web-shop');
const frontend = join(examples, '40-frontend.yaml');
const namespace = 'web-shop';
const inShop = ['-n', namespace];

/** In running order: `{ name, run(kubectl, other) }`. */
export const writeSteps = [];
const step = (name, run) => writeSteps.push({ name, run });

const get = (kubectl, resource, path) => kubectl.run(['get', resource, ...inShop, '-o', `jsonpath={${path}}`]);
const versionOf = (kubectl, resource) => get(kubectl, resource, '.metadata.resourceVersion');

step('apply all of it', async (kubectl) => {
  await kubectl.run(['apply', '-f', join(examples, '00-namespace.yaml')]);
  await settleNamespace(kubectl, namespace);
  await settleQuota(kubectl, namespace, 'web-shop');
  await kubectl.prints(['apply', '-f', examples], /^deployment\.apps\/frontend created$/m);
  await kubectl.prints(['apply', 'view-last-applied', '-f', frontend], /image: nginx:1\.27$/m);
});

step('two clients apply in turn, and keep what the other has set', async (kubectl, other) => {
  const manifest = readFileSync(frontend, 'utf8');
  const changed = (image, more) => `${manifest.replace('nginx:1.27', image)}\n${more}`;
  await other.run(['label', 'deploy/frontend', 'set-by=other', ...inShop]);
  await other.run(['scale', 'deploy/frontend', '--replicas=4', ...inShop]);
  await other.run(['set', 'env', 'deploy/frontend', 'MODE=dark', ...inShop]);
  const read = async (client) => [
    await get(client, 'deploy/frontend', '.metadata.labels.set-by'),
    await get(client, 'deploy/frontend', '.spec.template.spec.containers[0].image'),
    await get(client, 'deploy/frontend', '.spec.template.spec.containers[0].env[*].name'),
  ];
  await kubectl.prints(['apply', '-f', '-'], /^deployment\.apps\/frontend configured$/m, {
    input: changed('nginx:1.28', ''),
  });
  assert.deepEqual(await read(other), ['other', 'nginx:1.28', 'MODE']);
  await other.prints(['apply', '-f', '-'], /^deployment\.apps\/frontend configured$/m, {
    input: changed('nginx:1.29', ''),
  });
  assert.deepEqual(await read(kubectl), ['other', 'nginx:1.29', 'MODE']);
  assert.equal(await get(kubectl, 'deploy/frontend', '.spec.replicas'), '2');

  const before = await versionOf(kubectl, 'deploy/frontend');
  for (const client of [kubectl, other]) {
    await client.prints(['apply', '-f', '-'], /^deployment\.apps\/frontend unchanged$/m, {
      input: changed('nginx:1.29', ''),
    });
  }
  assert.equal(await versionOf(other, 'deploy/frontend'), before);
  await other.run(['label', 'deploy/frontend', 'set-by-', ...inShop]);
  await kubectl.run(['set', 'env', 'deploy/frontend', 'MODE-', ...inShop]);
  await kubectl.run(['apply', '-f', frontend]);
  await settleDeployment(kubectl, namespace, 'frontend');
});

step('what apply has set and no longer names, goes', async (kubectl, other) => {
  const configMap = (data) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'turns', namespace }, data });
  await kubectl.run(['apply', '-f', '-'], { input: configMap({ a: '1', b: '2' }) });
  await other.run(['patch', 'cm/turns', ...inShop, '--type=merge', '-p', '{"data":{"c":"3"}}']);
  await other.run(['apply', '-f', '-'], { input: configMap({ a: '1', d: '4' }) });
  assert.deepEqual((await kubectl.json(['get', 'cm/turns', ...inShop])).data, { a: '1', c: '3', d: '4' });
});

step('apply --server-side: who owns what', async (kubectl, other) => {
  const configMap = (data, labels) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned', namespace, labels }, data });
  const apply = (manager, ...more) => ['apply', '--server-side', `--field-manager=${manager}`, '-f', '-', ...more];
  await kubectl.prints(apply('one'), /^configmap\/owned serverside-applied$/m, {
    input: configMap({ a: '1', b: '1' }, { team: 'one' }),
  });
  await other.run(apply('two'), { input: configMap({ a: '1', c: '2' }) });
  const before = await versionOf(kubectl, 'cm/owned');
  await other.run(apply('two'), { input: configMap({ a: '1', c: '2' }) });
  assert.equal(await versionOf(kubectl, 'cm/owned'), before);

  const conflict = await other.fails(apply('two'), { input: configMap({ a: '9', c: '2' }) });
  assert.match(conflict, /Apply failed with 1 conflict: conflict with "one": \.data\.a/);
  await other.run(apply('two', '--force-conflicts'), { input: configMap({ a: '9', c: '2' }) });
  // `one` has dropped b, which it alone owned, and has lost a.
  await kubectl.run(apply('one'), { input: configMap({}, { team: 'one' }) });
  const { data, metadata } = await other.json(['get', 'cm/owned', ...inShop]);
  assert.deepEqual([data, metadata.labels], [{ a: '9', c: '2' }, { team: 'one' }]);

  await kubectl.run([...apply('one'), '--dry-run=server'], { input: configMap({ z: '1' }, { team: 'one' }) });
  assert.deepEqual((await other.json(['get', 'cm/owned', ...inShop])).data, { a: '9', c: '2' });
  await kubectl.prints(['diff', '--server-side', '--field-manager=one', '-f', '-'], /^\+ +z: "1"$/m, {
    code: 1,
    input: configMap({ z: '1' }, { team: 'one' }),
  });
});

step('server-side apply takes over what was applied by the client', async (kubectl, other) => {
  const input = (data) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'moved', namespace }, data });
  await kubectl.run(['apply', '-f', '-'], { input: input({ a: '1', b: '1' }) });
  await other.run(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input: input({ a: '2' }) });
  // Clients since 1.26 migrate their ownership; with an older one, b stays with its manager.
  const expected = other.minor >= 26 ? { a: '2' } : { a: '2', b: '1' };
  assert.deepEqual((await kubectl.json(['get', 'cm/moved', ...inShop])).data, expected);
});

step('keys of a map keep their order and come to no harm', async (kubectl, other) => {
  const keys = ['10', '2', '__proto__', 'a', 'constructor', 'toString'];
  const data = keys.map((key, index) => `${JSON.stringify(key)}:"${index}"`).join();
  const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys","namespace":"${namespace}"},"data":{${data}}}`;
  const raw = `/api/v1/namespaces/${namespace}/configmaps/keys`;
  await kubectl.run(['create', '-f', '-'], { input: text });
  const stored = async (client) => /"data":(\{[^}]*\})/.exec(await client.run(['get', '--raw', raw]))?.[1];
  assert.equal(await stored(other), `{${data}}`);
  await other.run(['patch', 'cm/keys', ...inShop, '--type=merge', '-p', '{"data":{"__proto__":"changed","2":null}}']);
  const patched = `{${data}}`.replace('"2":"1",', '').replace('"__proto__":"2"', '"__proto__":"changed"');
  assert.equal(await stored(kubectl), patched);
  await kubectl.run([
    'patch',
    'cm/keys',
    ...inShop,
    '--type=json',
    '-p',
    '[{"op":"add","path":"/data/2","value":"1"}]',
  ]);
  await other.run(['patch', 'cm/keys', ...inShop, '--type=strategic', '-p', '{"data":{"__proto__":"2"}}']);
  assert.equal(await stored(kubectl), `{${data}}`);
  await kubectl.prints(['get', 'cm', 'keys', ...inShop], /^keys +6 /m);
  const list = await kubectl.run(['get', '--raw', raw.replace('/keys', '?fieldSelector=metadata.name=keys')]);
  assert.ok(list.includes(`"data":{${data}}`), list);
});

step('replace, and replace by force', async (kubectl, other) => {
  const before = await kubectl.json(['get', 'cm/turns', ...inShop]);
  await other.run(['annotate', 'cm/turns', 'seen=yes', ...inShop]);
  assert.match(
    await kubectl.fails(['replace', '-f', '-'], { input: JSON.stringify(before) }),
    /Operation cannot be fulfilled on configmaps "turns": the object has been modified/,
  );
  // Old clients print managed fields; sending them back would undo later changes of ownership.
  const { resourceVersion: _, managedFields: _managed, ...metadata } = before.metadata;
  const unconditional = JSON.stringify({ ...before, metadata, data: { only: 'this' } });
  await kubectl.prints(['replace', '-f', '-'], /^configmap\/turns replaced$/m, { input: unconditional });
  const replaced = await other.json(['get', 'cm/turns', ...inShop]);
  assert.deepEqual(replaced.data, { only: 'this' });
  assert.equal(replaced.metadata.uid, before.metadata.uid);
  await kubectl.run(['replace', '-f', '-'], { input: unconditional });
  assert.equal(await versionOf(kubectl, 'cm/turns'), replaced.metadata.resourceVersion);

  const { uid: __, creationTimestamp: ___, ...fresh } = metadata;
  const forced = JSON.stringify({ ...before, metadata: fresh });
  await kubectl.prints(['replace', '--force', '-f', '-'], /^configmap\/turns replaced$/m, { input: forced });
  assert.notEqual(await get(other, 'cm/turns', '.metadata.uid'), before.metadata.uid);
});

step('rollout: history, undo, restart', async (kubectl, other) => {
  await settleDeployment(kubectl, namespace, 'frontend');
  await kubectl.run(['set', 'image', 'deploy/frontend', 'nginx=nginx:1.30', ...inShop]);
  await settleDeployment(kubectl, namespace, 'frontend');
  const history = await other.run(['rollout', 'history', 'deploy/frontend', ...inShop]);
  const revisions = [...history.matchAll(/^(\d+) /gm)].map(([, revision]) => revision);
  assert.ok(revisions.length >= 2, history);
  const newest = revisions.at(-1);
  await other.prints(
    ['rollout', 'history', 'deploy/frontend', `--revision=${newest}`, ...inShop],
    /Image:\tnginx:1\.30/,
  );
  await other.prints(['rollout', 'undo', 'deploy/frontend', ...inShop], /rolled back$/m);
  assert.equal(await get(kubectl, 'deploy/frontend', '.spec.template.spec.containers[0].image'), 'nginx:1.27');
  await settleDeployment(kubectl, namespace, 'frontend');
  await kubectl.prints(['rollout', 'restart', 'deploy/frontend', ...inShop], /restarted$/m);
  assert.match(
    await get(other, 'deploy/frontend', '.spec.template.metadata.annotations'),
    /kubectl\.kubernetes\.io\/restartedAt/,
  );
  await settleDeployment(kubectl, namespace, 'frontend');
  await kubectl.prints(['rollout', 'status', 'deploy/frontend', ...inShop, '--timeout=20s'], /successfully rolled out/);
});

/**
 * Every generator of `kubectl create`: its kind, its arguments, and the first client that has it.
 *
 * @type {[kind: string, args: string[], since?: number][]}
 */
const generators = [
  ['clusterrole', ['--verb=get', '--resource=pods']],
  ['clusterrolebinding', ['--clusterrole=view', '--user=u']],
  ['configmap', ['--from-literal=a=b']],
  ['cronjob', ['--image=busybox', '--schedule=0 1 * * *'], 21],
  ['deployment', ['--image=nginx']],
  ['ingress', ['--rule=example.com/*=svc:80'], 20],
  ['job', ['--image=busybox']],
  ['namespace', []],
  ['poddisruptionbudget', ['--selector=a=b', '--min-available=1'], 21],
  ['priorityclass', ['--value=10']],
  ['quota', ['--hard=pods=1']],
  ['role', ['--verb=get', '--resource=pods']],
  ['rolebinding', ['--clusterrole=view', '--user=u']],
  ['secret generic', ['--from-literal=a=b']],
  ['secret docker-registry', ['--docker-username=u', '--docker-password=p']],
  ['service clusterip', ['--tcp=80:80']],
  ['service nodeport', ['--tcp=80:80']],
  ['service loadbalancer', ['--tcp=80:80']],
  ['service externalname', ['--external-name=example.com']],
  ['serviceaccount', []],
];

step('create --dry-run=server stores nothing, whatever it makes', async (kubectl) => {
  const before = await kubectl.run(['get', '--raw', `/api/v1/namespaces/${namespace}/configmaps?limit=1`]);
  for (const [kind, args, since = 0] of generators) {
    if (kubectl.minor < since) continue;
    const made = ['create', ...kind.split(' '), 'dry', ...args, '--dry-run=server'];
    await kubectl.prints([...made, ...inShop], /\/?dry created \(server dry run\)$/m);
    const object = JSON.parse(await kubectl.run([...made, ...inShop, '-o', 'json']));
    assert.match(object.metadata.uid, /^[0-9a-f-]{36}$/, kind);
    const { name, resourceVersion } = object.metadata;
    assert.equal(resourceVersion, undefined, kind);
    assert.match(await kubectl.fails(['get', object.kind, name, ...inShop]), /NotFound/, kind);
  }
  const after = await kubectl.run(['get', '--raw', `/api/v1/namespaces/${namespace}/configmaps?limit=1`]);
  const version = (text) => /"metadata":\{"resourceVersion":"(\d+)"/.exec(text)?.[1];
  assert.equal(version(after), version(before));
});

step('dry runs take neither addresses nor ports, and see all the rules', async (kubectl, other) => {
  const port = ['--tcp=80:80', '--node-port=31999'];
  const create = ['create', 'service', 'nodeport'];
  await kubectl.run([...create, 'first', ...port, ...inShop, '--dry-run=server']);
  await other.run([...create, 'first', ...port, ...inShop]);
  assert.match(
    await kubectl.fails([...create, 'second', ...port, ...inShop, '--dry-run=server']),
    /spec\.ports\[0\]\.nodePort: Invalid value: 31999: provided port is already allocated/,
  );
  await kubectl.prints(
    ['delete', 'svc', 'first', ...inShop, '--dry-run=server'],
    /^service "first" deleted( from web-shop namespace)? \(server dry run\)$/m,
  );
  await kubectl.run(['get', 'svc', 'first', ...inShop]);
  await other.run(['delete', 'svc', 'first', ...inShop]);
  await kubectl.run([...create, 'second', ...port, ...inShop]);
  await kubectl.run(['patch', 'svc', 'second', '-p', '{"spec":{"type":"ClusterIP"}}', ...inShop]);
  await kubectl.run([...create, 'third', ...port, ...inShop]);
  await kubectl.run(['delete', 'svc', 'second', 'third', ...inShop]);
  assert.match(
    await kubectl.fails([
      'run',
      'dry',
      '--image=nginx',
      ...inShop,
      '--dry-run=server',
      '--overrides={"spec":{"priorityClassName":"none"}}',
    ]),
    /pods "dry" is forbidden: no PriorityClass with name none was found/,
  );
});

step('label, annotate, taint and cordon by dry run and in truth', async (kubectl, other) => {
  const node = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'writes-1' } });
  await kubectl.run(['create', '-f', '-'], { input: node });
  const taints = () => kubectl.run(['get', 'node/writes-1', '-o', 'jsonpath={.spec.taints[*].key}']);
  const flags = () => kubectl.run(['get', 'node/writes-1', '-o', 'jsonpath={.spec.unschedulable}']);
  await kubectl.run(['taint', 'node', 'writes-1', 'a=b:NoSchedule', '--dry-run=server']);
  assert.equal(await taints(), 'node.kubernetes.io/not-ready');
  await kubectl.run(['taint', 'node', 'writes-1', 'a=b:NoSchedule', 'node.kubernetes.io/not-ready-']);
  assert.equal(await taints(), 'a');
  assert.match(await other.fails(['taint', 'node', 'writes-1', 'a=c:NoSchedule']), /already has a taint|overwrite/);
  await other.run(['taint', 'node', 'writes-1', 'a-']);
  assert.equal(await taints(), '');
  await kubectl.run(['cordon', 'writes-1', '--dry-run=server']);
  assert.equal(await flags(), '');
  await kubectl.run(['cordon', 'writes-1']);
  assert.equal(await flags(), 'true');
  await other.run(['uncordon', 'writes-1']);
  assert.equal(await flags(), '');
  await kubectl.run(['label', 'cm/turns', 'x=y', ...inShop, '--dry-run=server']);
  await kubectl.run(['annotate', 'cm/turns', 'x=y', ...inShop, '--dry-run=server']);
  assert.equal(await get(other, 'cm/turns', '.metadata.labels.x'), '');
  assert.equal(await get(other, 'cm/turns', '.metadata.annotations.x'), '');
});

step('drain, dry', async (kubectl) => {
  const onNode = '--overrides={"spec":{"nodeName":"writes-1"}}';
  await kubectl.run(['run', 'drained', '--image=nginx', onNode, ...inShop]);
  await startPod(kubectl, namespace, 'drained');
  // For server-side dry runs, old clients first look for custom resources, and a cluster may serve none.
  const mode = kubectl.minor >= 27 ? 'server' : 'client';
  const dryRun = mode === 'server' ? 'server dry run' : 'dry run';
  await kubectl.prints(
    ['drain', 'writes-1', '--force', `--dry-run=${mode}`],
    [
      new RegExp(`cordoned \\(${dryRun}\\)$`, 'm'),
      new RegExp(`^node/writes-1 (drained|evicted) \\(${dryRun}\\)$`, 'm'),
    ],
  );
  assert.equal(await get(kubectl, 'pod/drained', '.metadata.deletionTimestamp'), '');
  await kubectl.run(['delete', 'pod', 'drained', '--grace-period=0', '--force', ...inShop]);
  await kubectl.run(['delete', 'node', 'writes-1']);
});

step('quotas and limits of the namespace hold', async (kubectl, other) => {
  const used = async () => {
    const text = await get(other, 'quota/web-shop', '.status.used.requests\\.cpu');
    return text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
  };
  const before = await used();
  await kubectl.run(['run', 'counted', '--image=nginx', ...inShop]);
  assert.equal(await used(), before + 50);
  assert.match(
    await get(kubectl, 'pod/counted', '.metadata.annotations.kubernetes\\.io/limit-ranger'),
    /^LimitRanger plugin set: /,
  );
  const requests =
    '{"spec":{"containers":[{"name":"huge","image":"nginx","resources":{"requests":{"cpu":"100"},"limits":{"cpu":"100"}}}]}}';
  assert.match(
    await kubectl.fails(['run', 'huge', '--image=nginx', ...inShop, `--overrides=${requests}`]),
    /pods "huge" is forbidden: exceeded quota: web-shop, requested: \S*requests\.cpu=100/,
  );
  assert.equal(await used(), before + 50);
  await kubectl.run(['delete', 'pod', 'counted', '--now', ...inShop]);
});

step('a level of pod security is enforced, and workloads are told', async (kubectl, other) => {
  await kubectl.run(['create', 'namespace', 'hardened']);
  await settleNamespace(kubectl, 'hardened');
  await other.run(['label', 'ns/hardened', 'pod-security.kubernetes.io/enforce=restricted']);
  assert.match(
    await kubectl.fails(['run', 'soft', '--image=nginx', '-n', 'hardened']),
    /pods "soft" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false \(container "soft"/,
  );
  const { stderr } = await kubectl.start(['create', 'deployment', 'soft', '--image=nginx', '-n', 'hardened']).ended;
  assert.match(stderr, /^Warning: would violate PodSecurity "restricted:latest": /m);
  assert.match(
    await other.fails(['label', 'ns/hardened', '--overwrite', 'pod-security.kubernetes.io/enforce=strict']),
    /must be one of privileged, baseline, restricted/,
  );
});

step('wait for conditions, paths and the end', async (kubectl, other) => {
  const waiting = await kubectl
    .startWatch(['wait', '--for=condition=Ready', 'pod/awaited', ...inShop, '--timeout=30s'], {})
    .catch((error) => error);
  assert.match(String(waiting), /NotFound|not found/);
  await kubectl.run(['run', 'awaited', '--image=nginx', ...inShop]);
  const ready = await kubectl.startWatch(['wait', '--for=condition=Ready', 'pod/awaited', ...inShop, '--timeout=30s']);
  await startPod(other, namespace, 'awaited');
  assert.equal((await ready.ended).code, 0);
  if (kubectl.minor >= 23) {
    const running = ['wait', '--for=jsonpath={.status.phase}=Running', 'pod/awaited', ...inShop, '--timeout=30s'];
    await kubectl.prints(running, /condition met$/m);
  }
  const gone = await kubectl.startWatch(['wait', '--for=delete', 'pod/awaited', ...inShop, '--timeout=30s']);
  await other.run(['delete', 'pod/awaited', '--now', ...inShop]);
  assert.equal((await gone.ended).code, 0);
});

step('delete, and wait for what holds it', async (kubectl, other) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/held`;
  const held = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'held', namespace, finalizers: ['example.com/hold'] },
  };
  await kubectl.run(['create', '-f', '-'], { input: JSON.stringify(held) });
  const deletion = kubectl.start(['delete', 'cm/held', ...inShop, '--timeout=30s']);
  await deletion.printed(/"held" deleted/);
  assert.notEqual(await get(other, 'cm/held', '.metadata.deletionTimestamp'), '');
  await finishDeletion(other, path);
  assert.equal((await deletion.ended).code, 0);
  assert.match(await kubectl.fails(['get', 'cm/held', ...inShop]), /NotFound/);

  await kubectl.run(['label', 'cm', '--all', 'batch=one', ...inShop]);
  await kubectl.prints(
    ['delete', 'cm', '-l', 'batch=one', ...inShop, '--dry-run=server'],
    /"turns" deleted( from web-shop namespace)? \(server dry run\)$/m,
  );
  const raw = `/api/v1/namespaces/${namespace}/configmaps?labelSelector=batch%3Done`;
  await kubectl.run(['delete', '--raw', `${raw}&dryRun=All`]);
  assert.match(await get(other, 'cm', '.items[*].metadata.name'), /\bturns\b/);
  await kubectl.run(['delete', '--raw', raw]);
  assert.doesNotMatch(await get(other, 'cm', '.items[*].metadata.name'), /\bturns\b/);
});

step('evictions ask the budget', async (kubectl, other) => {
  await kubectl.run(['run', 'guarded', '--image=nginx', '--labels=app.kubernetes.io/name=api', ...inShop]);
  await startPod(kubectl, namespace, 'guarded');
  await settleBudget(kubectl, namespace, 'api', {
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  });
  const input = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'guarded' } });
  const evict = ['create', '--raw', `/api/v1/namespaces/${namespace}/pods/guarded/eviction`, '-f', '-'];
  assert.match(
    await kubectl.fails(evict, { input }),
    /Cannot evict pod as it would violate the pod's disruption budget/,
  );
  await settleBudget(other, namespace, 'api', { disruptionsAllowed: 1 });
  await other.prints(evict, /"status":"Success"/, { input });
  assert.equal(await get(kubectl, 'pdb/api', '.status.disruptionsAllowed'), '0');
});
