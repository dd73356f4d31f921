import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@binnacle/client/kinds/admissionregistration/v1';
import { Namespace, Pod, Secret } from '@binnacle/client/kinds/core/v1';
import { waitFor, waitForDeletion } from '@binnacle/client/testing';
import { PATIENT } from '../components/cluster.mjs';
import { freePort } from '../ports.mjs';
import { localService, namespaceNamed, objectsIn } from './workbench.mjs';

const NAMESPACE = 'gatekeeper-system';
const ACCOUNT = 'gatekeeper-admin';
const CERTIFICATES = 'gatekeeper-webhook-server-cert';
const CONFIGURATION = 'gatekeeper-validating-webhook-configuration';
/** The policy that it makes. */
const POLICY = 'gatekeeper-k8srequiredowners';
/** Kinds of its manifest that are about its pods. */
const unneeded = ['Deployment', 'PodDisruptionBudget', 'ResourceQuota'];

/** Gatekeeper, with the rights of its manifest, enforces the constraints of its demos: by its webhooks and by the policies that it makes. */
export async function walkGatekeeper(workbench, { binary, module }) {
  const port = await freePort();
  await install(workbench, module, port);
  await startManager(workbench, binary, port);
  await expectRefusalsOfWebhook(workbench, join(module, 'demo/basic'));
  await expectMutation(workbench, join(module, 'demo/mutation'));
  await expectRefusalsOfPolicy(workbench, join(module, 'demo/k8s-validating-admission-policy'));
}

async function install(workbench, module, port) {
  const objects = await objectsIn(join(module, 'deploy/gatekeeper.yaml'));
  for (const object of objects.filter(({ kind }) => !unneeded.includes(kind))) {
    for (const { clientConfig } of object.webhooks ?? []) clientConfig.service.port = port;
    await workbench.create(object.kind === 'Service' ? localService(NAMESPACE, object.metadata.name) : object);
  }
  // Its objects belong to its pod, so there must be one.
  const { template } = objects.find(({ kind }) => kind === 'Deployment').spec;
  await workbench.create({
    ...template,
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, namespace: NAMESPACE, name: 'gatekeeper' },
  });
}

/** Its certificates come as a kubelet brings them: what it wrote to the Secret appears in its folder. */
async function startManager(workbench, binary, port) {
  const folder = join(workbench.folder, 'certificates');
  await mkdir(folder);
  workbench.run(
    'gatekeeper',
    binary,
    {
      kubeconfig: await workbench.kubeconfigOf(NAMESPACE, ACCOUNT),
      host: '127.0.0.1',
      port,
      'cert-dir': folder,
      'health-addr': `127.0.0.1:${await freePort()}`,
      'prometheus-port': await freePort(),
      'exempt-namespace': NAMESPACE,
      'api-cache-dir': join(workbench.folder, 'audit'),
      'default-wait-for-vapb-generation': 1,
    },
    { POD_NAME: 'gatekeeper', POD_NAMESPACE: NAMESPACE, NAMESPACE },
  );
  const secrets = workbench.client.resource(Secret).namespace(NAMESPACE);
  const isFilled = ({ data }) => data?.['tls.crt'] !== undefined;
  const { data } = await waitFor(secrets, CERTIFICATES, isFilled, PATIENT);
  for (const [name, value] of Object.entries(data)) await writeFile(join(folder, name), Buffer.from(value, 'base64'));
  const authority = data['ca.crt'];
  await waitFor(
    workbench.client.resource(ValidatingWebhookConfiguration),
    CONFIGURATION,
    ({ webhooks }) => webhooks.every(({ clientConfig }) => clientConfig.caBundle === authority),
    PATIENT,
  );
}

/** A constraint in Rego. */
async function expectRefusalsOfWebhook(workbench, folder) {
  const [template] = await objectsIn(join(folder, 'templates/k8srequiredlabels_template.yaml'));
  const [constraint] = await objectsIn(join(folder, 'constraints/all_ns_must_have_gatekeeper.yaml'));
  const [bad] = await objectsIn(join(folder, 'bad/bad_ns.yaml'));
  const [good] = await objectsIn(join(folder, 'good/good_ns.yaml'));
  const [broken] = await objectsIn(join(folder, 'bad/bad_template.yaml'));
  const refusal = /admission webhook "validation.gatekeeper.sh" denied the request: /;

  await workbench.eventually(() => assert.rejects(workbench.create(broken), refusal));
  await workbench.create(template);
  await workbench.create(constraint);
  const namespaces = workbench.client.resource(Namespace);
  // The webhook ignores what it does not know yet.
  await workbench.eventually(() =>
    assert.rejects(
      namespaces.create(bad, { dryRun: true }),
      /validation.gatekeeper.sh" denied the request: \[ns-must-have-gk\] you must provide labels: {"gatekeeper"}/,
    ),
  );
  await workbench.create(good);
  // This one fails closed, and is for namespaces alone.
  const ignoring = namespaceNamed('ignoring', { gatekeeper: 'x', 'admission.gatekeeper.sh/ignore': 'yes' });
  await assert.rejects(workbench.create(ignoring), /"check-ignore-label.gatekeeper.sh" denied the request/);

  for (const object of [constraint, template]) await removed(workbench, object);
}

/** Images come from another registry. */
async function expectMutation(workbench, folder) {
  const [mutator] = await objectsIn(join(folder, 'assignimagedemo.yaml'));
  const [pod] = await objectsIn(join(folder, 'pod.yaml'));
  await workbench.create(mutator);
  const pods = workbench.client.resource(Pod).namespace('default');
  await workbench.eventually(async () => {
    const { spec } = await pods.create(pod, { dryRun: true });
    assert.equal(spec.containers[0].image, 'mycompany.registry.io/nginx');
  });
  await removed(workbench, mutator);
}

/** A constraint in CEL becomes a policy, whose parameters are the constraint: the server itself refuses. */
async function expectRefusalsOfPolicy(workbench, folder) {
  const [template] = await objectsIn(join(folder, 'k8srequiredlabels_template_usevap.yaml'));
  const [constraint] = await objectsIn(join(folder, 'owner_must_be_provided.yaml'));
  // The kind of the other demo has another schema.
  constraint.kind = 'K8sRequiredOwners';
  template.metadata.name = constraint.kind.toLowerCase();
  template.spec.crd.spec.names.kind = constraint.kind;
  await workbench.create(template);
  await workbench.create(constraint);
  const { client } = workbench;
  const policies = client.resource(ValidatingAdmissionPolicy);
  const bindings = client.resource(ValidatingAdmissionPolicyBinding);
  const binding = await workbench.eventually(async () => {
    const found = (await bindings.list()).items.find(({ spec }) => spec.policyName === POLICY);
    return found ?? assert.fail(`no binding of ${POLICY}`);
  });

  const namespaces = client.resource(Namespace);
  const refused = async (labels, words) => {
    const request = namespaces.create(namespaceNamed('owned', labels), { dryRun: true });
    const { message } = await request.then(
      () => assert.fail('not refused'),
      (error) => error,
    );
    const policy = `ValidatingAdmissionPolicy '${POLICY}' with binding '${binding.metadata.name}'`;
    assert.equal(message, `namespaces "owned" is forbidden: ${policy} denied request: ${words}`);
  };
  await workbench.eventually(() => refused({}, 'missing required label, requires all of: owner'));
  await refused({ owner: 'nobody' }, 'regex mismatch');
  await namespaces.create(namespaceNamed('owned', { owner: 'somebody.agilebank.demo' }), { dryRun: true });

  // The policy goes with its template.
  for (const object of [constraint, template]) await removed(workbench, object);
  await waitForDeletion(policies, POLICY, PATIENT);
}

/** Deletes an object, and waits until its finalizers let it go. */
async function removed(workbench, object) {
  const resource = await workbench.resourceOf(object);
  await resource.delete(object.metadata.name);
  await waitForDeletion(resource, object.metadata.name, PATIENT);
}
