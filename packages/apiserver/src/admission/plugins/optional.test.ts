import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes } from '../plugin.js';
import {
  alwaysDeny,
  alwaysPullImages,
  certificateSubjectRestriction,
  denyServiceExternalIPs,
  extendedResourceToleration,
  namespaceAutoProvision,
  namespaceExists,
  podTopologyLabels,
} from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

const zone = 'topology.kubernetes.io/zone';
const nodes = {
  node: async (name: string) =>
    name === 'n' ? object('Node', {}, { name, uid: 'uid-n', labels: { [zone]: 'z', other: 'o' } }) : undefined,
};

describe('PodTopologyLabels', () => {
  const plugin = podTopologyLabels(nodes);
  const labels = async (
    spec: Spec,
    own: Record<string, string> | undefined,
    overrides: Partial<AdmissionAttributes> = {},
  ) => {
    const pod = object('Pod', spec, { name: 'a', ...(own === undefined ? {} : { labels: own }) });
    await admit(plugin, 'pods', pod, overrides);
    return pod.metadata.labels;
  };
  it('labels a pod that has a node with the topology of the node', async () => {
    assert.deepEqual(await labels({ nodeName: 'n' }, undefined), { [zone]: 'z' });
    assert.deepEqual(await labels({ nodeName: 'n' }, { a: 'b', [zone]: 'own' }), { a: 'b', [zone]: 'z' });
    assert.equal(await labels({ nodeName: 'unknown' }, undefined), undefined);
    assert.equal(await labels({}, undefined), undefined);
    assert.equal(await labels({ nodeName: 'n' }, undefined, { operation: 'UPDATE' }), undefined);
  });

  it('labels a binding, which copies the labels to its pod', async () => {
    const bind = async (target: Spec) => {
      const binding = { ...object('Binding'), target };
      await admit(plugin, 'pods', binding, { subresource: 'binding' });
      return binding.metadata.labels;
    };
    assert.deepEqual(await bind({ kind: 'Node', name: 'n' }), { [zone]: 'z' });
    assert.equal(await bind({ name: 'n' }), undefined);
  });
});

describe('optional plugins', () => {
  it('AlwaysDeny', () =>
    assert.rejects(admit(alwaysDeny, 'pods', object('Pod')), {
      message: 'pods "a" is forbidden: admission control is denying all modifications',
    }));

  it('AlwaysPullImages', async () => {
    const given = { containers: [{ name: 'c', imagePullPolicy: 'Never' }], volumes: [{ name: 'v', image: {} }] };
    assert.deepEqual(await admit(alwaysPullImages, 'pods', object('Pod', given)), {
      containers: [{ name: 'c', imagePullPolicy: 'Always' }],
      volumes: [{ name: 'v', image: { pullPolicy: 'Always' } }],
    });
    const update = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const;
    const spec = { containers: [{ name: 'c', imagePullPolicy: 'Never' }], ephemeralContainers: [{ name: 'e' }] };
    assert.deepEqual(await admit(alwaysPullImages, 'pods', object('Pod', spec), update), {
      containers: [{ name: 'c', imagePullPolicy: 'Never' }],
      ephemeralContainers: [{ name: 'e', imagePullPolicy: 'Always' }],
    });
  });

  it('DenyServiceExternalIPs', async () => {
    const service = (...externalIPs: string[]) => object('Service', { externalIPs });
    await validate(denyServiceExternalIPs, 'services', service());
    await assert.rejects(validate(denyServiceExternalIPs, 'services', service('192.0.2.1')), {
      message: 'services "a" is forbidden: Use of external IPs is denied by admission control',
    });
    const update = { operation: 'UPDATE', oldObject: service('192.0.2.1') } as const;
    await validate(denyServiceExternalIPs, 'services', service('192.0.2.1'), update);
  });

  it('NamespaceExists and NamespaceAutoProvision', async () => {
    const made: string[] = [];
    const source = {
      namespace: async (name: string) => (name === 'there' ? object('Namespace') : undefined),
      createNamespace: async (name: string) => void made.push(name),
    };
    const provision = (namespace: string, more: Partial<AdmissionAttributes> = {}) =>
      admit(namespaceAutoProvision(source), 'configmaps', object('ConfigMap'), { namespace, ...more });
    await provision('there');
    await provision('');
    await provision('absent', { dryRun: true });
    await provision('absent');
    assert.deepEqual(made, ['absent']);
    const exists = namespaceExists(source);
    await validate(exists, 'configmaps', object('ConfigMap'), { namespace: 'there' });
    await assert.rejects(validate(exists, 'configmaps', object('ConfigMap'), { namespace: 'absent' }), { code: 404 });
  });

  it('ExtendedResourceToleration', async () => {
    const requests = { cpu: '1', 'example.com/gpu': '1', 'example.com/fpga': '1' };
    const tolerations = [{ key: 'example.com/gpu', operator: 'Exists' }];
    const given = object('Pod', { containers: [{ name: 'c', resources: { requests } }], tolerations });
    const spec = await admit(extendedResourceToleration, 'pods', given);
    assert.deepEqual(spec['tolerations'], [...tolerations, { key: 'example.com/fpga', operator: 'Exists' }]);
  });
});

describe('CertificateSubjectRestriction', () => {
  /** CN=jane, O=system:masters, O=other. */
  const pem = `-----BEGIN CERTIFICATE REQUEST-----
MIH0MIGaAgEAMDgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ4wDAYDVQQKDAVv
dGhlcjENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABESI
7YOPHfKpNtLlwj8FoA2eqUwFyJyzIwEkvDDXnbUoocFoyLvsYPTZ+lDofTBW89In
fXRPmwXtJgTS7h7Y3ZCgADAKBggqhkjOPQQDAgNJADBGAiEArEJwju4Od0jprH+F
elfqke/TtC1ley/BBLHW8Mpm2T0CIQCFyWKu3xGlYXS5zUs0SRC578iSTaYvNNFo
ggjgs0PYYg==
-----END CERTIFICATE REQUEST-----
`;
  const request = Buffer.from(pem).toString('base64');
  const ask = (spec: Spec) =>
    validate(certificateSubjectRestriction, '', object('CertificateSigningRequest', spec), {
      resource: { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
    });

  it('refuses a client certificate for system:masters', async () => {
    const signerName = 'kubernetes.io/kube-apiserver-client';
    await assert.rejects(ask({ signerName, request }), {
      code: 403,
      message: /use of kubernetes.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
    });
    await ask({ signerName: 'example.com/own', request });
    await ask({ signerName: 'example.com/own', request: '' });
    const begin = '-----BEGIN CERTIFICATE REQUEST-----';
    const evasions: readonly [string, RegExp][] = [
      ['', /: failed to parse CSR: PEM block type must be CERTIFICATE REQUEST$/],
      [pem.replace('MIH0', 'MIH/'), /: failed to parse CSR: x509: malformed certificate request$/],
      [pem.replace('MIH0', 'X: y\n\nMIH0'), /: failed to parse CSR: no PEM block headers are permitted$/],
      [pem.replaceAll('\n', ' \n'), /: failed to parse CSR: PEM block type must be CERTIFICATE REQUEST$/],
      [pem.replace('BEGIN ', 'BEGIN\t'), /: failed to parse CSR: PEM block type must be CERTIFICATE REQUEST$/],
      [`${begin}\n!\n-----END CERTIFICATE REQUEST-----\n${pem}`, /: failed to parse CSR: PEM block type must/],
      [`${pem}${pem}`, /: failed to parse CSR: must contain exactly one PEM block$/],
    ];
    for (const [text, message] of evasions) {
      const evasion = ask({ signerName, request: Buffer.from(text).toString('base64') });
      await assert.rejects(evasion, { code: 403, message });
    }
  });
});
