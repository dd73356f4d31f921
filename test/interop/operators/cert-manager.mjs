import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@binnacle/client/kinds/admissionregistration/v1';
import { Secret } from '@binnacle/client/kinds/core/v1';
import { waitFor } from '@binnacle/client/testing';
import { PATIENT } from '../components/cluster.mjs';
import { hasCondition } from '../components/objects.mjs';
import { freePort } from '../ports.mjs';
import { localService, namespaceNamed, objectsIn } from './workbench.mjs';

const NAMESPACE = 'cert-manager';
const WEBHOOK = 'cert-manager-webhook';

/** cert-manager issues certificates: its webhooks say what they think of its objects, and its injector gives them their authority. */
export async function walkCertManager(workbench, { binaries, module }) {
  const port = await install(workbench, module);
  await startPrograms(workbench, binaries, port);
  await expectInjectedAuthorities(workbench);
  await expectRefusals(workbench);
  await expectSelfSigned(workbench);
  await expectIssuedByAuthority(workbench);
}

/** What its chart holds. */
async function install(workbench, module) {
  const folder = join(module, 'deploy/crds');
  for (const file of (await readdir(folder)).filter((name) => name.startsWith('crd-'))) {
    for (const definition of await objectsIn(join(folder, file))) {
      // The labels are for the chart to fill in.
      delete definition.metadata.labels;
      await workbench.create(definition);
    }
  }
  const port = await freePort();
  await workbench.create(namespaceNamed(NAMESPACE));
  await workbench.create(localService(NAMESPACE, WEBHOOK));
  await workbench.create(webhookConfiguration('MutatingWebhookConfiguration', '/mutate', port));
  await workbench.create(webhookConfiguration('ValidatingWebhookConfiguration', '/validate', port));
  return port;
}

const webhookConfiguration = (kind, path, port) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: {
    name: WEBHOOK,
    annotations: { 'cert-manager.io/inject-ca-from-secret': `${NAMESPACE}/${WEBHOOK}-ca` },
  },
  webhooks: [
    {
      name: 'webhook.cert-manager.io',
      rules: [
        {
          apiGroups: ['cert-manager.io', 'acme.cert-manager.io'],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['*/*'],
        },
      ],
      admissionReviewVersions: ['v1'],
      matchPolicy: 'Equivalent',
      timeoutSeconds: 10,
      failurePolicy: 'Fail',
      sideEffects: 'None',
      clientConfig: { service: { namespace: NAMESPACE, name: WEBHOOK, path, port } },
    },
  ],
});

async function startPrograms(workbench, binaries, port) {
  const { kubeconfig } = workbench;
  const election = { kubeconfig, 'leader-election-namespace': NAMESPACE };
  const names = [WEBHOOK, `${WEBHOOK}.${NAMESPACE}`, `${WEBHOOK}.${NAMESPACE}.svc`];
  workbench.run(WEBHOOK, join(binaries, 'webhook'), {
    kubeconfig,
    'secure-port': port,
    'healthz-port': await freePort(),
    'dynamic-serving-ca-secret-namespace': NAMESPACE,
    'dynamic-serving-ca-secret-name': `${WEBHOOK}-ca`,
    'dynamic-serving-dns-names': names,
  });
  // It has no flag for a kubeconfig.
  workbench.run(
    'cert-manager-cainjector',
    join(binaries, 'cainjector'),
    {
      'leader-election-namespace': NAMESPACE,
    },
    { KUBECONFIG: kubeconfig },
  );
  workbench.run('cert-manager-controller', join(binaries, 'controller'), {
    ...election,
    'cluster-resource-namespace': NAMESPACE,
    'metrics-listen-address': `127.0.0.1:${await freePort()}`,
  });
}

/** The authority that the webhook made for itself is in both configurations. */
async function expectInjectedAuthorities({ client }) {
  const secrets = client.resource(Secret).namespace(NAMESPACE);
  const { data } = await waitFor(secrets, `${WEBHOOK}-ca`, () => true, PATIENT);
  for (const kind of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration]) {
    await waitFor(
      client.resource(kind),
      WEBHOOK,
      ({ webhooks }) => webhooks[0].clientConfig.caBundle === data['ca.crt'],
      PATIENT,
    );
  }
}

async function expectRefusals(workbench) {
  const refused = /admission webhook "webhook.cert-manager.io" denied the request: spec: Required value: at least one/;
  // Until it listens the request fails for another reason.
  await workbench.eventually(() => assert.rejects(workbench.create(issuer('without', {})), refused));
  const without = certificate('without', { dnsNames: undefined, issuerRef: { name: 'self-signed' } });
  await assert.rejects(
    workbench.create(without),
    /denied the request: spec: Invalid value: "": at least one of commonName/,
  );
}

/** A certificate that signs itself ends up in a Secret, together with its key. */
async function expectSelfSigned(workbench) {
  await workbench.create(issuer('self-signed', { selfSigned: {} }));
  await workbench.create(
    certificate('authority', { isCA: true, commonName: 'authority', issuerRef: { name: 'self-signed' } }),
  );
  const { certificate: made, authority } = await issued(workbench, 'authority');
  assert.ok(made.ca);
  assert.ok(made.verify(made.publicKey));
  assert.equal(authority.fingerprint256, made.fingerprint256);
}

/** An authority in a Secret issues: the request passes both webhooks, and its user is written down by the mutating one. */
async function expectIssuedByAuthority(workbench) {
  await workbench.create(issuer('by-authority', { ca: { secretName: 'authority' } }));
  await workbench.create(certificate('served', { issuerRef: { name: 'by-authority' } }));
  const { certificate: made, authority } = await issued(workbench, 'served');
  assert.match(made.subjectAltName, /DNS:served\.example\.com/);
  assert.ok(made.verify(authority.publicKey));

  const requests = await workbench.resourceOf({ ...certificate('', {}), kind: 'CertificateRequest' });
  const { items } = await requests.list();
  const request = items.find(({ metadata }) => metadata.annotations['cert-manager.io/certificate-name'] === 'served');
  assert.ok(hasCondition('Approved')(request));
  assert.ok(hasCondition('Ready')(request));
  assert.ok(request.spec.groups.includes('system:masters'), JSON.stringify(request.spec));
  // Its words on a request that was changed.
  const changed = { type: 'merge', body: { spec: { isCA: true } } };
  await assert.rejects(requests.patch(request.metadata.name, changed), /denied the request: spec: Forbidden: cannot/);
}

async function issued(workbench, name) {
  const certificates = await workbench.resourceOf(certificate(name, {}));
  await workbench.eventually(async () => assert.ok(hasCondition('Ready')(await certificates.get(name))));
  const { data } = await workbench.client.resource(Secret).namespace('default').get(name);
  const [made, authority] = ['tls.crt', 'ca.crt'].map((key) => new X509Certificate(Buffer.from(data[key], 'base64')));
  return { certificate: made, authority };
}

const issuer = (name, spec) => ({ apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: { name }, spec });

const certificate = (name, spec) => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name },
  spec: { secretName: name, dnsNames: [`${name}.example.com`], ...spec },
});
