/** The classic CronTab, through kubectl. Each step depends on the ones before. */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';

const definition = (extra = '') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontabs.stable.example.com
spec:
  group: stable.example.com
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        description: CronTab runs an image at times.
        type: object
        properties:
          spec:
            type: object
            required: [cronSpec]
            properties:
              cronSpec:
                description: When to run.
                type: string
                pattern: '^(\\d+|\\*)(/\\d+)?(\\s+(\\d+|\\*)(/\\d+)?){4}$'
              image:
                type: string
              replicas:
                type: integer
                default: 1
                minimum: 1
                maximum: 10
${extra}          status:
            type: object
            properties:
              replicas: {type: integer}
              labelSelector: {type: string}
    subresources:
      status: {}
      scale:
        specReplicasPath: .spec.replicas
        statusReplicasPath: .status.replicas
        labelSelectorPath: .status.labelSelector
    additionalPrinterColumns:
    - {name: Spec, type: string, description: The schedule, jsonPath: .spec.cronSpec}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    - {name: Image, type: string, jsonPath: .spec.image, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
  scope: Namespaced
  names:
    plural: crontabs
    singular: crontab
    kind: CronTab
    shortNames: [ct]
    categories: [all]
`;

const crontab = `apiVersion: stable.example.com/v1
kind: CronTab
metadata:
  name: my-new-cron-object
spec:
  cronSpec: "* * * * */5"
  image: my-awesome-cron-image
`;

/** In running order: `{ name, run(kubectl) }`. */
export const customResourceSteps = [];
const step = (name, run) => customResourceSteps.push({ name, run });

/** Discovery and OpenAPI documents follow a change within a second, so this waits that long for a pattern. */
async function soon(kubectl, args, pattern) {
  const end = Date.now() + 5000;
  for (;;) {
    const { stdout, stderr } = await kubectl.start(args).ended;
    if (pattern.test(stdout)) return;
    assert.ok(Date.now() < end, `kubectl ${args.join(' ')} does not print ${pattern}: ${stdout}${stderr}`);
  }
}

/** `kubectl wait` fails for a definition that has no conditions yet, as it does for one that is new on kube-apiserver. */
async function defined(kubectl) {
  const definition = 'crd/crontabs.stable.example.com';
  await soon(kubectl, ['get', definition, '-o', 'jsonpath={.status.conditions[*].type}'], /Established/);
  await kubectl.run(['wait', '--for=condition=Established', definition]);
}

step('applies the definition', async (kubectl) => {
  const file = kubectl.file('definition.yaml', definition());
  await kubectl.prints(['apply', '-f', file], /crontabs\.stable\.example\.com created/);
  await defined(kubectl);
  await kubectl.prints(['apply', '-f', file], /crontabs\.stable\.example\.com (unchanged|configured)/);
  await kubectl.prints(['get', 'crd'], /^NAME +CREATED AT\ncrontabs\.stable\.example\.com +20\d\d-/);
  await kubectl.prints(
    ['api-resources', '--api-group=stable.example.com'],
    /^crontabs +ct +stable\.example\.com\/v1 +true +CronTab$/m,
  );
});

step('creates and gets by every name', async (kubectl) => {
  const file = kubectl.file('crontab.yaml', crontab);
  await kubectl.prints(['create', '-f', file], /crontab\.stable\.example\.com\/my-new-cron-object created/);
  const table = /^NAME +SPEC +REPLICAS +AGE\nmy-new-cron-object +\* \* \* \* \*\/5 +1 +\d+s\n$/;
  for (const word of ['crontab', 'crontabs', 'ct', 'crontabs.stable.example.com', 'crontabs.v1.stable.example.com']) {
    await kubectl.prints(['get', word], table);
  }
  await kubectl.prints(
    ['get', 'ct', '-o', 'wide'],
    /^NAME +SPEC +REPLICAS +IMAGE +AGE\n.* 1 +my-awesome-cron-image +\d+s$/m,
  );
  await kubectl.prints(['get', 'all'], /crontab\.stable\.example\.com\/my-new-cron-object/);
  await kubectl.prints(
    ['get', 'ct', '-o', 'yaml'],
    [
      /^- apiVersion: stable\.example\.com\/v1\n  kind: CronTab\n  metadata:\n    creationTimestamp: /m,
      /^  spec:\n    cronSpec: '\* \* \* \* \*\/5'\n    image: my-awesome-cron-image\n    replicas: 1$/m,
    ],
  );
  await kubectl.prints(['describe', 'ct', 'my-new-cron-object'], /^ {2}Cron Spec: +\* \* \* \* \*\/5$/m);
});

step('explains', async (kubectl) => {
  await soon(kubectl, ['explain', 'crontab'], /CronTab runs an image at times\./);
  await soon(kubectl, ['explain', 'ct.spec.cronSpec'], /When to run\./);
});

step('refuses what does not fit', async (kubectl) => {
  const bad = kubectl.file('bad.yaml', crontab.replace('my-new', 'bad').replace('"* * * * */5"', '"* * * *"'));
  assert.match(
    await kubectl.fails(['create', '-f', bad]),
    /The CronTab "bad-cron-object" is invalid: spec\.cronSpec: Invalid value: "\* \* \* \*": spec\.cronSpec in body should match/,
  );
  const unknown = kubectl.file('unknown.yaml', `${crontab.replace('my-new', 'bad')}  someRandomField: 42\n`);
  assert.match(await kubectl.fails(['create', '-f', unknown]), /unknown field "(spec\.)?someRandomField"/);
});

step('edits, patches, scales and applies', async (kubectl) => {
  await kubectl.prints(
    ['apply', '-f', kubectl.file('crontab.yaml', crontab.replace('awesome', 'better'))],
    /configured/,
  );
  const editor = kubectl.file('editor.sh', '#!/bin/sh\nsed -i s/my-better-cron-image/edited/ "$1"\n');
  chmodSync(editor, 0o755);
  await kubectl.prints(['edit', 'ct', 'my-new-cron-object'], /edited/, { environment: { KUBE_EDITOR: editor } });
  assert.equal((await kubectl.json(['get', 'ct', 'my-new-cron-object'])).spec.image, 'edited');
  await kubectl.prints(
    ['patch', 'ct', 'my-new-cron-object', '--type=merge', '-p', '{"spec":{"replicas":2}}'],
    /crontab\.stable\.example\.com\/my-new-cron-object patched/,
  );
  assert.match(
    await kubectl.fails(['patch', 'ct', 'my-new-cron-object', '--type=merge', '-p', '{"spec":{"replicas":0}}']),
    /spec\.replicas: Invalid value: 0: spec\.replicas in body should be greater than or equal to 1/,
  );
  await kubectl.prints(['scale', 'ct/my-new-cron-object', '--replicas=3'], /scaled/);
  await kubectl.prints(['label', 'ct', '--all', 'tier=night'], /labeled/);
  await kubectl.prints(['get', 'ct', '-l', 'tier=night', '-o', 'jsonpath={.items[*].spec.replicas}'], /^3$/);
});

step('applies on the server', async (kubectl) => {
  const file = kubectl.file('applied.yaml', crontab.replace('my-new', 'applied'));
  const args = ['apply', '--server-side', '-f', file];
  await kubectl.prints(args, /crontab\.stable\.example\.com\/applied-cron-object serverside-applied/);
  await kubectl.run(['patch', 'ct', 'applied-cron-object', '--type=merge', '-p', '{"spec":{"image":"patched"}}']);
  assert.match(await kubectl.fails(args), /conflict with "kubectl-patch"[^]*\.spec\.image/);
  await kubectl.prints([...args, '--force-conflicts'], /serverside-applied/);
  assert.equal((await kubectl.json(['get', 'ct', 'applied-cron-object'])).spec.image, 'my-awesome-cron-image');
  await kubectl.prints(['delete', 'ct', 'applied-cron-object'], /deleted/);
});

step('takes a changed definition while a watch goes on', async (kubectl) => {
  const watch = await kubectl.startWatch(['get', 'configmaps', '--watch', '-o', 'name']);
  const schedule = `              timeZone:\n                description: Where it is that late.\n                type: string\n`;
  await kubectl.prints(['apply', '-f', kubectl.file('definition.yaml', definition(schedule))], /configured/);
  await soon(kubectl, ['explain', 'ct.spec.timeZone'], /Where it is that late\./);
  await kubectl.run(['patch', 'ct', 'my-new-cron-object', '--type=merge', '-p', '{"spec":{"timeZone":"UTC"}}']);
  assert.equal((await kubectl.json(['get', 'ct', 'my-new-cron-object'])).spec.timeZone, 'UTC');
  await kubectl.run(['create', 'configmap', 'still-watched']);
  await watch.printed(/configmap\/still-watched/);
  watch.stop();
});

step('deletes objects, then the definition with what is left', async (kubectl) => {
  await kubectl.prints(['delete', '-f', kubectl.file('crontab.yaml', crontab)], /deleted/);
  await kubectl.prints(['create', '-f', kubectl.file('crontab.yaml', crontab)], /created/);
  await kubectl.prints(['delete', 'crd', 'crontabs.stable.example.com'], /deleted/);
  assert.match(
    await kubectl.fails(['get', 'ct']),
    /the server (doesn't have a resource type "ct"|could not find the requested resource)/,
  );
  assert.doesNotMatch(await kubectl.run(['api-resources']), /crontabs/);
});

step('defines it again at once', async (kubectl) => {
  await kubectl.prints(['create', '-f', kubectl.file('definition.yaml', definition())], /created/);
  await defined(kubectl);
  assert.deepEqual((await kubectl.json(['get', 'crontabs'])).items, []);
  await kubectl.prints(['create', '-f', kubectl.file('crontab.yaml', crontab)], /created/);
  await kubectl.prints(['get', 'crontabs', '-o', 'name'], /^crontab\.stable\.example\.com\/my-new-cron-object$/m);
});
