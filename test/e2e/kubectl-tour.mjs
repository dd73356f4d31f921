/**
 * A day's work with kubectl on the manifests of examples/web-shop. Each step runs real commands and checks their
 * output. It runs unchanged with every kubectl, on any cluster without control loops, whose writes it makes itself.
 * If an old client does not know a kind's version, the step states the first client that does.
 *
 * `node test/e2e/kubectl-tour.mjs --kubectl PATH --kubeconfig FILE [--only WORD]`
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  finalizeNamespace,
  finishDeletion,
  finishPod,
  recordEvent,
  settleBudget,
  settleDeployment,
  settleNamespace,
  settleNode,
  settleQuota,
  settleStatefulSet,
  startPod,
} from './control-loops.mjs';
import { Kubectl } from './kubectl.mjs';
import { describeKubectl } from './kubectl-clients.mjs';

const examples = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples', 'web-shop');
const namespace = 'web-shop';
const inShop = ['-n', namespace];
const partOf = 'app.kubernetes.io/part-of=web-shop';

/**
 * A client sends these on every apply and prints "configured", because lists without keys are replaced as a whole and
 * the server has added defaults. The server must see no change.
 */
const sentAgain = [
  'statefulset.apps/database',
  'poddisruptionbudget.policy/api',
  'networkpolicy.networking.k8s.io/database-from-api',
  'cronjob.batch/nightly-report',
];

/** In running order: `{ name, run(kubectl) }`. */
export const tourSteps = [];
const step = (name, run) => tourSteps.push({ name, run });

step('version and cluster-info', async (kubectl) => {
  const version = await kubectl.json(['version']);
  assert.equal(version.serverVersion.major, '1');
  assert.match(version.serverVersion.minor, /^36\+?$/);
  await kubectl.prints(['cluster-info'], /is running at/);
  await kubectl.prints(['get', '--raw', '/readyz'], /^ok$/);
  await kubectl.prints(['get', '--raw', '/livez?verbose'], /\[\+\]ping ok\n[^]*check passed/);
});

step('api-versions and api-resources', async (kubectl) => {
  await kubectl.prints(
    ['api-versions'],
    [/^v1$/m, /^apps\/v1$/m, /^autoscaling\/v2$/m, /^rbac.authorization.k8s.io\/v1$/m],
  );
  await kubectl.prints(
    ['api-resources'],
    [/^deployments +deploy +apps\/v1 +true +Deployment$/m, /^namespaces +ns +v1 +false +Namespace$/m],
  );
  await kubectl.prints(['api-resources', '--api-group=apps', '-o', 'name'], /^statefulsets\.apps$/m);
  await kubectl.prints(
    ['api-resources', '--namespaced=false', '--verbs=list', '-o', 'wide'],
    /^nodes +no +v1 +false +Node/m,
  );
  const names = (await kubectl.run(['api-resources', '--verbs=list', '-o', 'name'])).trim().split('\n');
  assert.ok(names.length > 50, names.join());
  await kubectl.prints(
    ['get', names.join(), '-A', '-o', 'wide'],
    [
      /^ +namespace\/kube-system +Active/m,
      /^default +service\/kubernetes +ClusterIP/m,
      /clusterrole\S*\/cluster-admin /,
    ],
  );
});

step('raw paths', async (kubectl) => {
  await kubectl.prints(['get', '--raw', '/apis/apps/v1'], /"kind":"APIResourceList".*"name":"deployments\/scale"/);
  await kubectl.prints(['get', '--raw', '/'], /"\/openapi\/v2"/);
  assert.match(await kubectl.fails(['get', '--raw', '/nonsense']), /^Error from server \(NotFound\): /m);
});

step('auth can-i', async (kubectl) => {
  await kubectl.prints(['auth', 'can-i', 'create', 'deployments', ...inShop], /^yes$/m);
  await kubectl.prints(['auth', 'can-i', '*', '*'], /^yes$/m);
  const denied = ['auth', 'can-i', 'create', 'deployments', ...inShop, '--as=nobody'];
  await kubectl.prints(denied, /^no\b/m, { code: 1 });
  await kubectl.prints(['auth', 'can-i', '--list', ...inShop], /^\*\.\* +\[\] +\[\] +\[\*\]$/m);
  if (kubectl.minor >= 28)
    await kubectl.prints(['auth', 'whoami'], /^Groups +\[system:masters system:authenticated\]$/m);
});

step('explain', async (kubectl) => {
  await kubectl.prints(['explain', 'pods'], [/KIND: +Pod/, /VERSION: +v1/, /\bspec\b/]);
  await kubectl.prints(['explain', 'pods.spec.containers.image'], [/image/, /string/]);
  await kubectl.prints(['explain', 'deployment.spec.strategy', '--recursive'], [/maxSurge/, /maxUnavailable/]);
  await kubectl.prints(
    ['explain', 'deployment.spec.template', '--recursive'],
    [/^ +containers\t<\[\]\w+>/m, /^ +persistentVolumeClaim\t</m],
  );
  await kubectl.prints(['explain', 'hpa', '--api-version=autoscaling/v2'], /KIND: +HorizontalPodAutoscaler/);
  assert.match(await kubectl.fails(['explain', 'pods.spec.nonsense']), /field "nonsense" does not exist/);
});

step('diff before anything is there', async (kubectl) => {
  await kubectl.prints(['apply', '-f', join(examples, '00-namespace.yaml')], /^namespace\/web-shop created$/m);
  await settleNamespace(kubectl, namespace);
  await settleQuota(kubectl, namespace, 'web-shop');
  await kubectl.prints(['diff', '-f', examples], [/^\+kind: Deployment$/m, /^\+ +- image: nginx:1\.27$/m], { code: 1 });
});

step('apply with --dry-run', async (kubectl) => {
  const file = join(examples, '40-frontend.yaml');
  await kubectl.prints(['apply', '-f', file, '--dry-run=client'], /^deployment.apps\/frontend created \(dry run\)$/m);
  await kubectl.prints(
    ['apply', '-f', file, '--dry-run=server'],
    /^deployment.apps\/frontend created \(server dry run\)$/m,
  );
  assert.match(
    await kubectl.fails(['get', 'deployment', 'frontend', ...inShop]),
    /^Error from server \(NotFound\): deployments\.apps "frontend" not found$/m,
  );
});

step('a manifest with a mistake', async (kubectl) => {
  const text = JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'wrong', namespace },
    spec: {
      replicaz: 3,
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x' }] } },
    },
  });
  assert.match(await kubectl.fails(['apply', '-f', '-'], { input: text }), /unknown field[^]*replicaz/);
  const invalid = text
    .replace('"replicaz":3', '"replicas":-3')
    .replace('"matchLabels":{"app":"x"}', '"matchLabels":{"app":"y"}');
  const message = await kubectl.fails(['apply', '-f', '-'], { input: invalid });
  assert.match(message, /The Deployment "wrong" is invalid/);
  assert.match(message, /spec\.replicas: Invalid value: -3: must be greater than or equal to 0/);
  assert.match(
    message,
    /spec\.template\.metadata\.labels: Invalid value: .*`selector` does not match template `labels`/,
  );
});

step('apply, twice', async (kubectl) => {
  const first = await kubectl.run(['apply', '-f', examples]);
  const lines = first.trim().split('\n');
  assert.equal(lines.length, 22, first);
  assert.equal(lines.filter((line) => line.endsWith(' created')).length, 19, first);
  const versions = () => kubectl.run(['get', '-f', examples, '-o', 'jsonpath={.items[*].metadata.resourceVersion}']);
  const before = await versions();
  const second = await kubectl.run(['apply', '-f', examples]);
  const changed = second.split('\n').filter((line) => line !== '' && !line.endsWith(' unchanged'));
  assert.deepEqual(
    changed.filter((line) => !sentAgain.some((name) => line === `${name} configured`)),
    [],
  );
  assert.equal(await versions(), before);
});

step('diff when nothing differs', async (kubectl) => {
  assert.equal(await kubectl.run(['diff', '-f', examples]), '');
});

step('get as tables', async (kubectl) => {
  await kubectl.prints(
    ['get', 'deployments', ...inShop],
    [/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE$/m, /^api +0\/3 +0 +0 +\d+s$/m],
  );
  await kubectl.prints(
    ['get', 'deployments', ...inShop, '-o', 'wide'],
    [/CONTAINERS +IMAGES +SELECTOR$/m, /^frontend +0\/2 .* nginx +nginx:1\.27 +app\.kubernetes\.io\/name=frontend$/m],
  );
  await kubectl.prints(['get', 'svc', ...inShop], [/^database +ClusterIP +None +<none> +5432\/TCP/m, /80:30080\/TCP/]);
  await kubectl.prints(['get', 'statefulset', ...inShop], /^database +0\/2 +\d+s$/m);
  await kubectl.prints(['get', 'ingress', ...inShop], /^shop +nginx +shop\.example\.com +80, 443/m);
  await kubectl.prints(['get', 'pvc', ...inShop], /^uploads +Pending/m);
  await kubectl.prints(['get', 'cronjob', ...inShop], /^nightly-report +15 2 \* \* \* .*False +0 +<none>/m);
  await kubectl.prints(
    ['get', 'pdb,hpa,netpol', ...inShop],
    [
      /^poddisruptionbudget\.policy\/api +2 +N\/A/m,
      /^horizontalpodautoscaler\.autoscaling\/api +Deployment\/api/m,
      /^networkpolicy\.networking\.k8s\.io\/default-deny +<none>/m,
    ],
  );
  await kubectl.prints(['get', 'configmap', 'api-config', ...inShop], /^api-config +4 +\d+s$/m);
  await kubectl.prints(['get', 'secret', 'database-credentials', ...inShop], /^database-credentials +Opaque +2/m);
  await kubectl.prints(
    ['get', 'all', ...inShop],
    [/^service\/api/m, /^deployment\.apps\/frontend/m, /^cronjob\.batch\/nightly-report/m],
  );
  await kubectl.prints(
    ['get', 'namespaces', '--show-labels'],
    /^web-shop +Active .*app\.kubernetes\.io\/part-of=web-shop/m,
  );
  await kubectl.prints(
    ['get', 'deploy,sts', '-A', '-L', 'app.kubernetes.io/name'],
    /^web-shop +statefulset\.apps\/database .* database$/m,
  );
});

step('get every kind of the example, wide', async (kubectl) => {
  await kubectl.prints(
    ['get', '-f', examples, '-o', 'wide'],
    [
      /^namespace\/web-shop +Active +\d+s$/m,
      /^NAME +REQUEST +LIMIT +AGE\nresourcequota\/web-shop +\S.*requests\.cpu: 0\/8/m,
      /^limitrange\/defaults +\d{4}-\d\d-\d\dT/m,
      /^configmap\/frontend-nginx +1 +\d+s$/m,
      /^secret\/database-credentials +Opaque +2 +\d+s$/m,
      /^service\/database +ClusterIP +None +<none> +5432\/TCP +\d+s +app\.kubernetes\.io\/name=database$/m,
      /^statefulset\.apps\/database +0\/2 +\d+s +postgres +postgres:17\.2$/m,
      /^persistentvolumeclaim\/uploads +Pending +shared +<unset> +\d+s +Filesystem$/m,
      /^serviceaccount\/api +(0 +)?\d+s$/m,
      /^role\.rbac\.authorization\.k8s\.io\/api-config-reader +\d{4}-\d\d-\d\dT/m,
      /^rolebinding\.rbac\.authorization\.k8s\.io\/api-config-reader +Role\/api-config-reader +\d+s +web-shop\/api$/m,
      /^deployment\.apps\/api +0\/3 +0 +0 +\d+s +api,log-shipper +\S+,fluent\/fluent-bit:3\.2 +app\.kubernetes\.io\/name=api$/m,
      /^service\/frontend +NodePort +10\.0\.0\.\d+ +<none> +80:30080\/TCP +\d+s +app\.kubernetes\.io\/name=frontend$/m,
      /^horizontalpodautoscaler\.autoscaling\/api +Deployment\/api +cpu: <unknown>\/70% +3 +12 +0 +\d+s$/m,
      /^poddisruptionbudget\.policy\/api +2 +N\/A +0 +\d+s$/m,
      /^ingress\.networking\.k8s\.io\/shop +nginx +shop\.example\.com +80, 443 +\d+s$/m,
      /^networkpolicy\.networking\.k8s\.io\/database-from-api +app\.kubernetes\.io\/name=database +\d+s$/m,
      /^cronjob\.batch\/nightly-report +15 2 \* \* \* +Europe\/\w+ +False +0 +<none> +\d+s +report +registry\S+ +<none>$/m,
    ],
  );
});

step('get in every format', async (kubectl) => {
  await kubectl.prints(['get', 'deploy/api', ...inShop, '-o', 'yaml'], [/^kind: Deployment$/m, /^ {2}replicas: 3$/m]);
  const deployment = await kubectl.json(['get', 'deploy/api', ...inShop]);
  assert.equal(deployment.spec.strategy.rollingUpdate.maxSurge, 1);
  assert.equal(deployment.spec.template.spec.containers[0].terminationMessagePath, '/dev/termination-log');
  assert.equal((await kubectl.json(['get', 'deploy', ...inShop])).kind, 'List');
  assert.equal(
    await kubectl.run(['get', 'deploy', ...inShop, '-o', 'jsonpath={.items[*].metadata.name}']),
    'api frontend',
  );
  await kubectl.prints(
    [
      'get',
      'deploy',
      ...inShop,
      '-o',
      'custom-columns=NAME:.metadata.name,IMAGES:.spec.template.spec.containers[*].image',
    ],
    [/^NAME +IMAGES$/m, /^api +registry\.example\.com\/shop\/api:1\.4\.2,fluent\/fluent-bit:3\.2$/m],
  );
  assert.equal(
    await kubectl.run(['get', 'deploy,svc', ...inShop, '-l', 'app.kubernetes.io/name=api', '-o', 'name']),
    'deployment.apps/api\nservice/api\n',
  );
  assert.equal(await kubectl.run(['get', 'ns', namespace, '-o', 'go-template={{.status.phase}}']), 'Active');
  assert.equal(
    await kubectl.run(['get', 'svc', ...inShop, '--sort-by=.spec.ports[0].port', '-o', 'name']),
    'service/frontend\nservice/database\nservice/api\n',
  );
});

step('get some of many', async (kubectl) => {
  const names = (args) => kubectl.run(['get', ...args, '-o', 'name']);
  assert.equal(await names(['ns', '--field-selector', 'metadata.name=web-shop']), 'namespace/web-shop\n');
  assert.equal(
    await names(['deploy', '-A', '-l', `${partOf},app.kubernetes.io/name notin (api)`]),
    'deployment.apps/frontend\n',
  );
  assert.equal(
    await names(['cm', ...inShop, '-l', 'app.kubernetes.io/name in (api,frontend)', '--chunk-size=1']),
    'configmap/api-config\nconfigmap/frontend-nginx\n',
  );
  assert.equal(await names(['deploy', 'absent', ...inShop, '--ignore-not-found']), '');
  assert.match(await kubectl.fails(['get', 'nonsense']), /the server doesn't have a resource type "nonsense"/);
  assert.match(
    await kubectl.fails(['get', 'cm', ...inShop, '--field-selector', 'data.x=1']),
    /\(BadRequest\): .*"data\.x" is not a known field selector: only "metadata\.name", "metadata\.namespace"$/m,
  );
  assert.match(
    await kubectl.fails(['get', 'pods', ...inShop, '--field-selector', 'spec.x=1']),
    /\(BadRequest\): .*field label not supported: spec\.x$/m,
  );
});

step('rollout status, and wait', async (kubectl) => {
  const rollout = kubectl.start(['rollout', 'status', 'deployment/api', ...inShop, '--timeout=50s']);
  await rollout.printed(/Waiting for deployment/);
  await settleDeployment(kubectl, namespace, 'api');
  assert.match((await rollout.ended).stdout, /deployment "api" successfully rolled out/);
  await settleDeployment(kubectl, namespace, 'frontend');
  await settleStatefulSet(kubectl, namespace, 'database');
  await kubectl.prints(['rollout', 'status', 'statefulset/database', ...inShop, '--timeout=20s'], /complete|roll/);
  await kubectl.prints(
    ['wait', '--for=condition=Available', 'deployment', '--all', ...inShop, '--timeout=20s'],
    [/^deployment\.apps\/api condition met$/m, /^deployment\.apps\/frontend condition met$/m],
  );
  await kubectl.prints(['get', 'deployments', ...inShop], /^api +3\/3 +3 +3 +\d+s$/m);
  if (kubectl.minor >= 23) {
    await kubectl.prints(
      ['wait', '--for=jsonpath={.status.readyReplicas}=3', 'deploy/api', ...inShop, '--timeout=20s'],
      /condition met/,
    );
  }
  assert.match(
    await kubectl.fails(['wait', '--for=condition=Nonsense', 'deploy/api', ...inShop, '--timeout=1s']),
    /timed out waiting for the condition/,
  );
});

step('scale', async (kubectl) => {
  await kubectl.prints(['scale', 'deployment/api', '--replicas=5', ...inShop], /^deployment\.apps\/api scaled$/m);
  await kubectl.prints(['scale', 'deploy', 'api', '--current-replicas=5', '--replicas=4', ...inShop], /scaled/);
  assert.match(
    await kubectl.fails(['scale', 'deploy', 'api', '--current-replicas=9', '--replicas=1', ...inShop]),
    /Expected replicas to be 9, was 4/i,
  );
  await kubectl.prints(['scale', 'statefulset/database', '--replicas=3', ...inShop], /scaled/);
  assert.equal(
    await kubectl.run(['get', 'deploy/api', 'sts/database', ...inShop, '-o', 'jsonpath={.items[*].spec.replicas}']),
    '4 3',
  );
  if (kubectl.minor >= 24) {
    const scale = ['deploy/api', '--subresource=scale', ...inShop];
    await kubectl.prints(['get', ...scale], /^NAME +DESIRED +AVAILABLE +AGE\napi +4 +3 +\d+s$/m);
    await kubectl.prints(['patch', ...scale, '--type=merge', '-p', '{"spec":{"replicas":5}}'], /api patched$/m);
    await kubectl.run(['patch', ...scale, '--type=merge', '-p', '{"spec":{"replicas":4}}']);
  }
  await settleDeployment(kubectl, namespace, 'api');
  await settleStatefulSet(kubectl, namespace, 'database');
});

step('label and annotate', async (kubectl) => {
  await kubectl.prints(['label', 'svc', 'api', 'tier=backend', ...inShop], /^service\/api labeled$/m);
  assert.match(
    await kubectl.fails(['label', 'svc', 'api', 'tier=other', ...inShop]),
    /already has a value \(backend\)/,
  );
  await kubectl.run(['label', 'svc', 'api', 'tier=other', '--overwrite', ...inShop]);
  await kubectl.prints(['get', 'svc', ...inShop, '-l', 'tier=other', '-o', 'name'], /^service\/api$/m);
  await kubectl.prints(['label', 'svc', 'api', 'tier-', ...inShop], /^service\/api (un)?labeled$/m);
  await kubectl.prints(
    ['annotate', 'deploy', '--all', 'team=shop', ...inShop],
    /^deployment\.apps\/frontend annotated?$/m,
  );
  await kubectl.prints(['annotate', 'deploy', '--all', 'team-', ...inShop], /^deployment\.apps\/frontend annotated?$/m);
  assert.match(
    await kubectl.fails(['label', 'svc', 'api', 'tier=a b', ...inShop]),
    /invalid label value|Invalid value: "a b"/,
  );
});

step('patch in three ways, and set', async (kubectl) => {
  const image = () =>
    kubectl.run(['get', 'deploy/frontend', ...inShop, '-o', 'jsonpath={.spec.template.spec.containers[*].image}']);
  const patch = (type, text) =>
    kubectl.prints(
      ['patch', 'deploy/frontend', ...inShop, `--type=${type}`, '-p', text],
      /^deployment\.apps\/frontend patched/m,
    );
  await patch('strategic', '{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"nginx:1.28"}]}}}}');
  assert.equal(await image(), 'nginx:1.28');
  await patch('merge', '{"spec":{"revisionHistoryLimit":3,"minReadySeconds":1}}');
  await patch(
    'json',
    '[{"op":"test","path":"/spec/revisionHistoryLimit","value":3},{"op":"remove","path":"/spec/minReadySeconds"}]',
  );
  assert.match(
    await kubectl.fails([
      'patch',
      'deploy/frontend',
      ...inShop,
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/spec/selector/matchLabels/x","value":"y"}]',
    ]),
    /invalid|Invalid|immutable|not found|does not exist/,
  );
  await settleDeployment(kubectl, namespace, 'frontend');
  await kubectl.prints(['set', 'image', 'deploy/frontend', 'nginx=nginx:1.29', ...inShop], /image updated/);
  await kubectl.prints(['set', 'env', 'deploy/frontend', 'MODE=dark', ...inShop], /env updated/);
  await kubectl.prints(
    ['set', 'resources', 'deploy/frontend', '--limits=cpu=500m', ...inShop],
    /resource requirements updated/,
  );
  assert.equal(await image(), 'nginx:1.29');
  await settleDeployment(kubectl, namespace, 'frontend');
});

step('edit', async (kubectl) => {
  const edit = (resource, script) =>
    kubectl.start(['edit', resource, ...inShop], { environment: { KUBE_EDITOR: `sed -i -e ${script}` } }).ended;
  const changed = await edit('configmap/api-config', 's/LOG_LEVEL:.info/LOG_LEVEL:\\ debug/');
  assert.equal(changed.code, 0, changed.stderr);
  assert.match(changed.stdout, /^configmap\/api-config edited$/m);
  assert.equal(await kubectl.run(['get', 'cm/api-config', ...inShop, '-o', 'jsonpath={.data.LOG_LEVEL}']), 'debug');
  const same = await edit('configmap/api-config', 's/nothing/nothing/');
  assert.match(same.stdout + same.stderr, /Edit cancelled, no changes made\./);
  const scaled = await edit('deployment/frontend', 's/replicas:.2$/replicas:\\ 3/');
  assert.match(scaled.stdout, /^deployment\.apps\/frontend edited$/m);
  assert.equal(await kubectl.run(['get', 'deploy/frontend', ...inShop, '-o', 'jsonpath={.spec.replicas}']), '3');
  await settleDeployment(kubectl, namespace, 'frontend');
});

step('rollout history, undo, restart, pause', async (kubectl) => {
  await kubectl.prints(
    ['rollout', 'history', 'deployment/frontend', ...inShop],
    [/^REVISION +CHANGE-CAUSE$/m, /^1 +<none>$/m, /^3 +/m],
  );
  await kubectl.prints(
    ['rollout', 'history', 'deployment/frontend', '--revision=1', ...inShop],
    /Image:\s+nginx:1\.27/,
  );
  await kubectl.prints(['rollout', 'undo', 'deployment/frontend', '--to-revision=1', ...inShop], /rolled back/);
  assert.equal(
    await kubectl.run([
      'get',
      'deploy/frontend',
      ...inShop,
      '-o',
      'jsonpath={.spec.template.spec.containers[0].image}',
    ]),
    'nginx:1.27',
  );
  await settleDeployment(kubectl, namespace, 'frontend');
  await kubectl.prints(['rollout', 'restart', 'deployment/frontend', ...inShop], /restarted/);
  await settleDeployment(kubectl, namespace, 'frontend');
  await kubectl.prints(
    ['rollout', 'status', 'deployment/frontend', ...inShop, '--timeout=20s'],
    /successfully rolled out/,
  );
  await kubectl.prints(['rollout', 'pause', 'deployment/frontend', ...inShop], /paused/);
  await kubectl.prints(['rollout', 'resume', 'deployment/frontend', ...inShop], /resumed/);
});

step('watch', async (kubectl) => {
  const watch = kubectl.start(['get', 'configmaps', ...inShop, '--watch']);
  await watch.printed(/^frontend-nginx +/m);
  await kubectl.prints(
    ['create', 'configmap', 'watched', '--from-literal=a=1', ...inShop],
    /^configmap\/watched created$/m,
  );
  await watch.printed(/^watched +1 /m);
  watch.stop();
  await watch.ended;

  const events = kubectl.start([
    'get',
    'configmaps',
    ...inShop,
    '--watch',
    '--output-watch-events',
    '--field-selector=metadata.name=watched',
    '-o',
    'name',
  ]);
  await events.printed(/ADDED|watched/);
  await kubectl.run(['patch', 'cm/watched', ...inShop, '-p', '{"data":{"a":"2"}}']);
  await kubectl.run(['delete', 'cm/watched', ...inShop]);
  await events.printed(/(DELETED.*\n?|configmap\/watched\n(.*\n)*configmap\/watched\n(.*\n)*configmap\/watched)/);
  events.stop();
  await events.ended;

  const limited = await kubectl.start(['get', 'cm', ...inShop, '--watch-only', '--request-timeout=1s']).ended;
  assert.equal(limited.stdout, '', limited.stdout);
});

step('events', async (kubectl) => {
  const deployment = await kubectl.request('GET', `/apis/apps/v1/namespaces/${namespace}/deployments/api`);
  const watch = await kubectl.startWatch(['get', 'events', ...inShop, '--watch']);
  await recordEvent(kubectl, namespace, deployment, 'Rested', 'had a break');
  await watch.printed(/^\d+s +Normal +Rested +deployment\/api +had a break$/m);
  watch.stop();
  await watch.ended;
  await kubectl.prints(
    ['get', 'events', '-A', '--field-selector', 'reason=Rested'],
    /^web-shop +\d+s +Normal +Rested/m,
  );
  await kubectl.prints(
    ['describe', 'deployment/api', ...inShop],
    /^ +Normal +Rested +\d+s +controllers +had a break$/m,
  );
  if (kubectl.minor >= 26)
    await kubectl.prints(['events', '--for=deployment/api', ...inShop], /Normal +Rested +Deployment\/api +had a break/);
});

step('describe every kind of the example', async (kubectl) => {
  const describe = (resource, ...patterns) => kubectl.prints(['describe', resource, ...inShop], patterns);
  await describe(
    'deployment/api',
    /^Replicas: +4 desired/m,
    /^RollingUpdateStrategy: +0 max unavailable, 1 max surge$/m,
    /Liveness: +http-get http:\/\/:http\/healthz delay=10s timeout=1s period=10s/,
    /^NewReplicaSet: +api-/m,
  );
  await describe('statefulset/database', /^Replicas: +3 desired/m, /StorageClass|Capacity: +10Gi/);
  await describe('service/frontend', /^Type: +NodePort$/m, /^NodePort: +http +30080\/TCP$/m);
  await describe('configmap/api-config', /^LOG_LEVEL:\n----\ndebug\n/m);
  await describe('secret/database-credentials', /^password: +19 bytes$/m);
  await describe('pvc/uploads', /^Status: +Pending$/m, /^StorageClass: +shared$/m);
  await describe('serviceaccount/api', /^Name: +api$/m);
  await describe('role/api-config-reader', /configmaps +\[\] +\[\] +\[get list watch\]/);
  await describe('rolebinding/api-config-reader', /ServiceAccount +api +web-shop/);
  await describe(
    'networkpolicy/database-from-api',
    /PodSelector: app\.kubernetes\.io\/name=api/,
    /Except: 10\.9\.0\.0\/16/,
  );
  await describe('ingress/shop', /shop\.example\.com/, /frontend:80/);
  await describe('hpa/api', /Min replicas: +3/, /Max replicas: +12/);
  await describe('resourcequota/web-shop', /requests\.cpu +\S+ +8/);
  await describe('limitrange/defaults', /Container +memory/);
  await kubectl.prints(['describe', 'namespace', namespace], [/^Status: +Active$/m, /Resource Quotas?/]);
  // Clients before 1.21 only know versions of these two that Kubernetes has removed.
  if (kubectl.minor >= 21) {
    await describe('pdb/api', /^Min available: +2$/m);
    await describe('cronjob/nightly-report', /^Schedule: +15 2 \* \* \*$/m, /^Concurrency Policy: +Forbid$/m);
    await kubectl.prints(['describe', '-f', examples], [/^Name: +nightly-report$/m, /^Name: +frontend-nginx$/m]);
  }
});

step('run, piped into apply', async (kubectl) => {
  for (const mode of ['client', 'server']) {
    const name = `x-${mode}`;
    const text = await kubectl.prints(
      ['run', name, '--image=nginx', ...inShop, `--dry-run=${mode}`, '-o', 'yaml'],
      [/^kind: Pod$/m, /image: nginx/],
    );
    await kubectl.prints(['apply', '-f', '-', ...inShop], new RegExp(`^pod/${name} created$`, 'm'), { input: text });
    await kubectl.prints(['get', 'pod', name, ...inShop], new RegExp(`^${name} +0/1 +Pending +0 +\\d+s$`, 'm'));
    await kubectl.prints(['describe', 'pod', name, ...inShop], [/^Status: +Pending$/m, /^QoS Class: +\w+$/m]);
  }
});

step('what only a kubelet can answer', async (kubectl) => {
  // The log of a pod that no node has is empty.
  await kubectl.prints(['logs', 'x-client', ...inShop], /^$/);
  for (const command of [
    ['exec', 'x-client', '--', 'true'],
    ['attach', 'x-client'],
  ]) {
    assert.match(
      await kubectl.fails([command[0], ...inShop, ...command.slice(1)]),
      // Since 1.37 kubectl only reports its connection error.
      /^(Error from server \(BadRequest\)|error: unable to upgrade connection): pod x-client does not have a host assigned$/m,
    );
  }
  assert.match(await kubectl.fails(['top', 'pods', ...inShop]), /^error: Metrics API not available$/m);
});

step('completion', async (kubectl) => {
  // Older clients leave this to the shell.
  if (kubectl.minor < 23) return;
  await kubectl.prints(['__complete', 'get', 'deploy', ...inShop, ''], /^api\nfrontend\n/);
  await kubectl.prints(['__complete', 'get', 'daemon'], /^daemonsets\.apps\n/);
  await kubectl.prints(['__complete', 'get', 'pods', '-n', 'web'], /^web-shop\n/);
});

step('create in many ways', async (kubectl) => {
  const create = (args, expected) => kubectl.prints(['create', ...args, ...inShop], expected);
  await create(['secret', 'generic', 'made', '--from-literal=key=value'], /^secret\/made created$/m);
  await create(['serviceaccount', 'made'], /^serviceaccount\/made created$/m);
  await create(
    ['role', 'made', '--verb=get,list', '--resource=pods'],
    /^role\.rbac\.authorization\.k8s\.io\/made created$/m,
  );
  await create(
    ['rolebinding', 'made', '--role=made', '--serviceaccount=web-shop:made'],
    /rolebinding\.rbac\.authorization\.k8s\.io\/made created/,
  );
  await create(['deployment', 'made', '--image=nginx'], /^deployment\.apps\/made created$/m);
  await create(['job', 'made', '--image=busybox', '--', 'true'], /^job\.batch\/made created$/m);
  if (kubectl.minor >= 21)
    await create(['job', 'report-now', '--from=cronjob/nightly-report'], /^job\.batch\/report-now created$/m);
  await kubectl.prints(['expose', 'deployment', 'made', '--port=80', ...inShop], /^service\/made exposed$/m);
  await kubectl.prints(
    ['autoscale', 'deployment', 'made', '--min=1', '--max=3', ...inShop],
    /horizontalpodautoscaler\.autoscaling\/made autoscaled/,
  );
  assert.match(
    await kubectl.fails(['create', 'serviceaccount', 'made', ...inShop]),
    /^(error: failed to create serviceaccount|Error from server \(AlreadyExists\)): serviceaccounts "made" already exists$/m,
  );
  assert.match(await kubectl.fails(['create', 'configmap', 'made', '-n', 'absent']), /namespaces "absent" not found/);
  assert.match(await kubectl.fails(['create', 'configmap', 'Not_A_Name', ...inShop]), /lowercase RFC 1123 subdomain/);
});

step('create from a web address, recorded', async (kubectl) => {
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: from-web\n  namespace: ${namespace}\ndata:\n  on: "off"\n`;
  const server = createServer((_, response) => response.end(manifest));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const url = `http://127.0.0.1:${server.address().port}/x.yaml`;
    await kubectl.prints(['create', '-f', url, '--record'], /^configmap\/from-web created$/m);
  } finally {
    await new Promise((done) => server.close(done));
  }
  const configMap = await kubectl.json(['get', 'cm/from-web', ...inShop]);
  assert.match(
    configMap.metadata.annotations['kubernetes.io/change-cause'],
    /kubectl(\S*) create --filename=http:\/\/127/,
  );
  // `on` is a boolean in YAML 1.1; as a key it keeps its JSON form.
  assert.deepEqual(Object.values(configMap.data), ['off']);
});

step('replace', async (kubectl) => {
  const configMap = await kubectl.json(['get', 'cm/from-web', ...inShop]);
  const changed = { ...configMap, data: { a: '1' } };
  await kubectl.prints(['replace', '-f', '-'], /^configmap\/from-web replaced$/m, { input: JSON.stringify(changed) });
  assert.match(
    await kubectl.fails(['replace', '-f', '-'], { input: JSON.stringify(changed) }),
    /\(Conflict\): .*the object has been modified; please apply your changes to the latest version and try again/,
  );
  const raw = `/api/v1/namespaces/${namespace}/configmaps/from-web`;
  const current = await kubectl.run(['get', '--raw', raw]);
  await kubectl.prints(['replace', '--raw', raw, '-f', '-'], /"from-web"/, { input: current });
});

step('apply on the server', async (kubectl) => {
  const apply = ['apply', '--server-side', '-f', '-'];
  const manifest = (image, more = {}) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'applied', namespace, ...more },
      spec: {
        selector: { matchLabels: { app: 'applied' } },
        template: { metadata: { labels: { app: 'applied' } }, spec: { containers: [{ name: 'c', image }] } },
      },
    });
  const done = /^deployment.apps\/applied serverside-applied$/m;
  await kubectl.prints(apply, done, { input: manifest('a', { labels: { x: '1' } }) });
  const version = ['get', 'deploy/applied', ...inShop, '-o', 'jsonpath={.metadata.resourceVersion}'];
  const before = await kubectl.run(version);
  await kubectl.prints(apply, done, { input: manifest('a', { labels: { x: '1' } }) });
  assert.equal(await kubectl.run(version), before);
  await kubectl.run(['set', 'image', 'deploy/applied', 'c=b', ...inShop]);
  assert.match(
    await kubectl.fails(apply, { input: manifest('c') }),
    /Apply failed with 1 conflict: conflict with "kubectl\S*" using apps\/v1: \.spec\.template\.spec\.containers\[name="c"\]\.image/,
  );
  await kubectl.prints([...apply, '--force-conflicts'], done, { input: manifest('c') });
  const { metadata, spec } = await kubectl.json(['get', 'deploy/applied', ...inShop]);
  assert.equal(metadata.labels, undefined);
  assert.equal(spec.template.spec.containers[0].image, 'c');
  await kubectl.run(['delete', 'deploy/applied', ...inShop]);
});

step('from apply on the client to apply on the server', async (kubectl) => {
  const manifest = (data) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'moved', namespace }, data });
  await kubectl.run(['apply', '-f', '-'], { input: manifest({ a: '1', b: '1', c: '1' }) });
  await kubectl.run(['patch', 'cm/moved', ...inShop, '-p', '{"data":{"c":"2"}}']);
  const server = ['apply', '--server-side', '-f', '-'];
  assert.match(
    await kubectl.fails(server, { input: manifest({ a: '2', c: '3' }) }),
    /Apply failed with 1 conflict: conflict with "kubectl\S*" using v1: \.data\.c/,
  );
  await kubectl.run(server, { input: manifest({ a: '2' }) });
  const { data, metadata } = await kubectl.json(['get', 'cm/moved', ...inShop]);
  assert.equal(data.a, '2');
  assert.equal(data.c, '2');
  const annotation = metadata.annotations['kubectl.kubernetes.io/last-applied-configuration'];
  assert.deepEqual(JSON.parse(annotation).data, { a: '2' });
  await kubectl.run(['delete', 'cm/moved', ...inShop]);
});

step('nodes', async (kubectl) => {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'worker-1',
      labels: { 'kubernetes.io/hostname': 'worker-1', 'node-role.kubernetes.io/worker': '' },
    },
  };
  await kubectl.prints(['create', '-f', '-'], /^node\/worker-1 created$/m, { input: JSON.stringify(node) });
  await kubectl.prints(['get', 'nodes'], /^worker-1 +Unknown +worker /m);
  await kubectl.prints(['describe', 'node', 'worker-1'], /^Taints: +node\.kubernetes\.io\/not-ready:NoSchedule$/m);
  const now = new Date().toISOString().replace(/\.\d+/, '');
  await settleNode(kubectl, 'worker-1', {
    capacity: { cpu: '8', memory: '32Gi', pods: '110' },
    allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
    addresses: [{ type: 'InternalIP', address: '192.0.2.10' }],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        message: 'ready',
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
    nodeInfo: {
      kubeletVersion: 'v1.36.0',
      osImage: 'Debian',
      kernelVersion: '6.1',
      containerRuntimeVersion: 'containerd://2.0',
      machineID: '',
      systemUUID: '',
      bootID: '',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  });
  await kubectl.prints(['get', 'nodes', '-o', 'wide'], /^worker-1 +Ready +worker +\d+s +v1\.36\.0 +192\.0\.2\.10/m);
  await kubectl.prints(['cordon', 'worker-1'], /cordoned/);
  await kubectl.prints(['get', 'nodes'], /^worker-1 +Ready,SchedulingDisabled/m);
  await kubectl.prints(['uncordon', 'worker-1'], /uncordoned/);
  await kubectl.prints(['taint', 'nodes', 'worker-1', 'only=shop:NoSchedule'], /tainted/);
  await kubectl.prints(['describe', 'node', 'worker-1'], [/^Taints: +only=shop:NoSchedule$/m, /memory: +32Gi/]);
});

step('drain a node', async (kubectl) => {
  const label = '--labels=app.kubernetes.io/name=api';
  const onNode = '--overrides={"spec":{"nodeName":"worker-1"}}';
  await kubectl.run(['run', 'guarded', '--image=nginx', label, onNode, ...inShop]);
  await startPod(kubectl, namespace, 'guarded');
  await settleBudget(kubectl, namespace, 'api', {
    disruptionsAllowed: 0,
    currentHealthy: 2,
    desiredHealthy: 2,
    expectedPods: 2,
  });
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'guarded' } };
  const path = `/api/v1/namespaces/${namespace}/pods/guarded/eviction`;
  assert.match(
    await kubectl.fails(['create', '--raw', path, '-f', '-'], { input: JSON.stringify(eviction) }),
    /\(TooManyRequests\): Cannot evict pod as it would violate the pod's disruption budget\.$/m,
  );
  await settleBudget(kubectl, namespace, 'api', { disruptionsAllowed: 1 });
  const watch = await kubectl.startWatch(['get', 'pod', 'guarded', ...inShop, '--watch']);
  const drain = kubectl.start(['drain', 'worker-1', '--force', '--timeout=30s']);
  await watch.printed(/^guarded +0\/1 +Terminating /m);
  watch.stop();
  await finishPod(kubectl, namespace, 'guarded');
  const { code, stdout, stderr } = await drain.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^pod\/guarded evicted$[^]*^node\/worker-1 (drained|evicted)$/m);
  await kubectl.prints(['get', 'nodes'], /^worker-1 +Ready,SchedulingDisabled/m);
  const { status } = await kubectl.json(['get', 'pdb', 'api', ...inShop]);
  assert.equal(status.disruptionsAllowed, 0);
  assert.deepEqual(Object.keys(status.disruptedPods), ['guarded']);
  await kubectl.prints(['uncordon', 'worker-1'], /uncordoned/);
});

step('delete pods with and without grace', async (kubectl) => {
  await kubectl.prints(['delete', 'pod', 'x-client', ...inShop], /^pod "x-client" (force )?deleted/m);
  await kubectl.prints(['delete', 'pod/x-server', '--now', ...inShop], /^pod "x-server" (force )?deleted/m);
  const scheduled = ['--image=nginx', '--overrides={"spec":{"nodeName":"worker-1"}}', ...inShop];
  await kubectl.run(['run', 'y', ...scheduled]);
  await kubectl.prints(['delete', 'pod', 'y', '--grace-period=5', '--wait=false', ...inShop], /^pod "y" deleted/m);
  const dying = await kubectl.json(['get', 'pod', 'y', ...inShop]);
  assert.equal(dying.metadata.deletionGracePeriodSeconds, 5);
  await kubectl.prints(['get', 'pod', 'y', ...inShop], /^y +0\/1 +Terminating /m);
  await kubectl.prints(['delete', 'pod', 'y', '--grace-period=0', '--force', ...inShop], /^pod "y" force deleted/m);
  assert.equal(await kubectl.run(['get', 'pods', ...inShop, '-o', 'name']), '');
});

step('delete and what depends', async (kubectl) => {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const finalizers = async (name) => (await kubectl.json(['get', 'deploy', name, ...inShop])).metadata.finalizers;
  await kubectl.run(['delete', 'deploy', 'made', '--cascade=orphan', '--wait=false', ...inShop]);
  assert.deepEqual(await finalizers('made'), ['orphan']);
  const waiting = await kubectl.startWatch(['wait', '--for=delete', 'deploy/made', ...inShop, '--timeout=30s']);
  await finishDeletion(kubectl, `${path}/made`);
  assert.equal((await waiting.ended).code, 0);
  await kubectl.run(['delete', 'deploy', 'frontend', '--cascade=foreground', '--wait=false', ...inShop]);
  assert.deepEqual(await finalizers('frontend'), ['foregroundDeletion']);
  await finishDeletion(kubectl, `${path}/frontend`);
  await kubectl.prints(['delete', 'deploy/api', '--cascade=background', ...inShop], /^deployment\.apps "api" deleted/m);
  assert.equal(await kubectl.run(['get', 'deploy', ...inShop, '-o', 'name']), '');
  assert.match(await kubectl.fails(['delete', 'deploy', 'api', ...inShop]), /deployments\.apps "api" not found/);
});

step('delete by label, all, and by file', async (kubectl) => {
  await kubectl.prints(
    ['delete', 'pdb,hpa', '-l', 'app.kubernetes.io/name=api', ...inShop],
    [/poddisruptionbudget\.policy "api" deleted/, /horizontalpodautoscaler\.autoscaling "api" deleted/],
  );
  await kubectl.prints(['delete', 'networkpolicies', '--all', ...inShop], /"default-deny" deleted/);
  await kubectl.prints(
    ['delete', '-f', join(examples, '10-configuration.yaml'), ...inShop],
    /configmap "api-config" deleted/,
  );
  await kubectl.prints(
    ['delete', '-f', join(examples, '30-api.yaml'), '--ignore-not-found', ...inShop],
    /service "api" deleted/,
  );
});

step('delete the namespace', async (kubectl) => {
  await kubectl.prints(['delete', 'namespace', namespace, '--wait=false'], /^namespace "web-shop" deleted/m);
  await kubectl.prints(['get', 'ns', namespace], /^web-shop +Terminating/m);
  assert.match(
    await kubectl.fails(['create', 'configmap', 'late', ...inShop]),
    /configmaps "late" is forbidden: unable to create new content in namespace web-shop because it is being terminated$/m,
  );
  const waiting = await kubectl.startWatch(['wait', '--for=delete', `namespace/${namespace}`, '--timeout=30s']);
  await finalizeNamespace(kubectl, namespace);
  assert.equal((await waiting.ended).code, 0);
  assert.match(await kubectl.fails(['get', 'ns', namespace]), /namespaces "web-shop" not found/);
});

async function main() {
  const { values } = parseArgs({
    options: { kubectl: { type: 'string' }, kubeconfig: { type: 'string' }, only: { type: 'string' } },
  });
  if (values.kubectl === undefined || values.kubeconfig === undefined) {
    console.error('usage: kubectl-tour.mjs --kubectl PATH --kubeconfig FILE [--only WORD]');
    return 2;
  }
  const client = describeKubectl(values.kubectl);
  if (client === undefined) {
    console.error(`${values.kubectl} is not a kubectl that runs`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-tour-'));
  let failures = 0;
  try {
    const kubectl = new Kubectl({ ...client, kubeconfig: resolve(values.kubeconfig), folder });
    for (const { name, run } of tourSteps) {
      if (values.only !== undefined && !name.includes(values.only)) continue;
      const began = performance.now();
      const error = await run(kubectl).then(
        () => undefined,
        (reason) => reason,
      );
      kubectl.stopAll();
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${error === undefined ? 'ok    ' : 'failed'} ${seconds.padStart(5)} s  ${name}`);
      if (error === undefined) continue;
      failures += 1;
      console.log(error.message.replace(/^/gm, '         '));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${client.version}: ${failures === 0 ? 'all steps passed' : `${failures} steps failed`}`);
  return failures === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main();
