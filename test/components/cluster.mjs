import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { housekeeping } from '@binnacle/controllers/table';
import { start } from 'binnacle';
import { Component } from './component.mjs';
import { forms } from './forms.mjs';

/** Generous, for machines that are busy. */
const LIMIT_MS = 120_000;
export const NODE = 'n1';
const users = {
  scheduler: ['system:kube-scheduler'],
  controllerManager: ['system:kube-controller-manager'],
  proxy: ['system:kube-proxy'],
  kubelet: [`system:node:${NODE}`, 'system:nodes'],
};

/** A server in memory, and those who work with it, by their own names and rights. The tests play the loops of workloads. */
export class Cluster {
  #folder;
  #components = [];

  static async start() {
    const cluster = new Cluster();
    cluster.#folder = await mkdtemp(join(tmpdir(), 'binnacle-components-'));
    const tokenAuthFile = join(cluster.#folder, 'tokens.csv');
    const lines = Object.entries(users).map(
      ([token, [name, ...groups]]) => `${token},${name},,"${groups.join(',')}"\n`,
    );
    await writeFile(tokenAuthFile, lines.join(''));
    cluster.server = await start({ inMemory: true, tokenAuthFile, controllers: housekeeping, scheduler: false });
    cluster.admin = cluster.as(cluster.server.clientConfig.token, forms[0]);
    await cluster.until(() => cluster.#hasDefaults(), 'the defaults of all namespaces');
    return cluster;
  }

  /** Whether each namespace has what control loops make in it, so that two lists made one after the other are equal. */
  async #hasDefaults() {
    for (const namespace of ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
      for (const path of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt'])
        if (!(await this.has(`/api/v1/namespaces/${namespace}/${path}`))) return false;
    return true;
  }

  /** One of `users`, or the user of the token. */
  as(token, form) {
    const component = new Component(this.server, { token, form });
    this.#components.push(component);
    return component;
  }

  async stop() {
    for (const component of this.#components) component.stop();
    await this.server.stop();
    await rm(this.#folder, { recursive: true });
  }

  async has(path) {
    const { kind } = await this.admin.get(path, { expected: [200, 404] });
    return kind !== 'Status';
  }

  /** Asks until it is so; answers what `condition` answered. */
  async until(condition, what) {
    for (const end = Date.now() + LIMIT_MS; ; await pause(20)) {
      const result = await condition();
      if (result) return result;
      assert.ok(Date.now() < end, `waited too long for ${what}`);
    }
  }
}

export const pod = (name, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }], ...spec },
});

export const node = (name) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
  status: {
    addresses: [
      { type: 'InternalIP', address: '192.0.2.1' },
      { type: 'Hostname', address: name },
    ],
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      condition('Ready', 'True', 'KubeletReady'),
    ],
  },
});

export const condition = (type, status, reason) => ({
  type,
  status,
  reason,
  message: `${reason} is what is the case`,
  lastHeartbeatTime: '2026-01-01T00:00:00Z',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

export const lease = (namespace, name) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace },
  spec: {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    acquireTime: '2026-01-01T00:00:00.123456Z',
    renewTime: '2026-01-01T00:00:00.123456Z',
    leaseTransitions: 0,
  },
});

/** Asks for each row as an informer does, in both ways that there are: both must show the same, in the kind of the row. */
export async function checkInformers(component, rows) {
  for (const { path, kind, selectors, holds = [] } of rows) {
    const { objects, watch } = await component.informer(path, { selectors });
    watch.stop();
    const items = await component.list(path, { selectors });
    const names = (list) => list.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();
    assert.deepEqual(names(objects), names(items), path);
    for (const object of objects) assert.equal(`${object.apiVersion} ${object.kind}`, kind, path);
    for (const name of holds) assert.ok(names(items).includes(name), `${path}: ${name} in ${names(items)}`);
  }
}

/** For `O=system:nodes, CN=system:node:n1`; the key is of no use to anybody. */
const CERTIFICATE_REQUEST = `-----BEGIN CERTIFICATE REQUEST-----
MIHqMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lz
dGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASIpgA8UMO4pZ/q
lwSmleiOMb3iC7bkSgBZ02zzG15b7TQlPsHKihrhICy8wOngbbhXDWDamcae8VCa
9BEPG0vAoAAwCgYIKoZIzj0EAwIDRwAwRAIgYW09+gWKNMbD2d/XvWBQNqtJusxu
S95ICZHcuVwTx4oCIGnpqBWtlFXhFOBzdJdxqVh8rKntxToOuFjZi4FDi2r6
-----END CERTIFICATE REQUEST-----
`;

export const nodeRequest = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { generateName: 'csr-' },
  spec: {
    request: Buffer.from(CERTIFICATE_REQUEST).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['key encipherment', 'digital signature', 'client auth'],
  },
};
