import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SharedInformerFactory } from '@binnacle/client';
import { Pod, Secret, Service, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { Program } from '../components/program.mjs';
import { freePort } from '../ports.mjs';
import { Forwarder } from './forwarder.mjs';
import { commandOf, withAccount } from './images.mjs';

/**
 * Nodes are hollow: their pods run nothing. This runs the programs of the pods that other programs call, as processes of this machine,
 * and forwards connections from the cluster IPs of their Services. So the range of cluster IPs must be loopback addresses.
 */
export class PodPrograms {
  #cluster;
  #folder;
  #logs;
  #stopped = new AbortController();
  /** The programs of each pod, and the port that they serve on, by the pod's uid. */
  #pods = new Map();
  #forwarders = new Map();
  /** Starts and stops that go on. */
  #work = new Set();
  /** What failed; a spec that waits for a program only says that it waited. */
  failures = [];

  /** `cluster` runs; the programs keep their files in `folder`, and what they say in `logs`. Both exist. */
  constructor(cluster, { folder, logs }) {
    this.#cluster = cluster;
    this.#folder = folder;
    this.#logs = logs;
  }

  async start() {
    const { signal } = this.#stopped;
    const informers = new SharedInformerFactory(this.#cluster.client);
    informers.informer(Pod).addHandler({
      onAdd: (pod) => this.#track(this.#begin(pod)),
      onDelete: (pod) => this.#track(this.#end(pod.metadata.uid)),
    });
    informers.informer(Service).addHandler({
      onAdd: (service) => this.#track(this.#forward(service)),
      onDelete: (service) => this.#track(this.#unforward(service.metadata.uid)),
    });
    informers.start(signal);
    await informers.synced(signal);
  }

  async stop() {
    this.#stopped.abort();
    await Promise.all(this.#work);
    await Promise.all([...this.#forwarders.keys()].map((uid) => this.#unforward(uid)));
    await Promise.all([...this.#pods.keys()].map((uid) => this.#end(uid)));
  }

  #track(work) {
    const tracked = Promise.resolve(work)
      .catch((error) => this.failures.push(error))
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #begin({ metadata, spec }) {
    const { uid, namespace, name, labels } = metadata;
    const folder = join(this.#folder, uid);
    const [port, etcdPort] = [await freePort(), await freePort()];
    const commands = spec.containers
      .map((container) => [container.name, commandOf(container, { folder, port, etcdPort })])
      .filter(([, command]) => command !== undefined);
    if (commands.length === 0) return;
    await mkdir(folder);
    await this.#writeVolumes(namespace, spec, folder);
    const { hostname: KUBERNETES_SERVICE_HOST, port: KUBERNETES_SERVICE_PORT } = new URL(this.#cluster.url);
    const account = await this.#writeAccount(namespace, spec, folder);
    const programs = commands.map(
      ([container, command]) =>
        new Program(`${name}/${container}`, withAccount(command, account), {
          logFile: join(this.#logs, `${name}-${container}.log`),
          environment: { KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT },
        }),
    );
    this.#pods.set(uid, { namespace, labels, port, programs });
  }

  async #end(uid) {
    const pod = this.#pods.get(uid);
    this.#pods.delete(uid);
    await Promise.all((pod?.programs ?? []).map((program) => program.stop()));
    await rm(join(this.#folder, uid), { recursive: true, force: true });
  }

  /** The Secrets of a pod, as files: `FOLDER/VOLUME/KEY`. */
  async #writeVolumes(namespace, { volumes = [] }, folder) {
    const secrets = this.#cluster.client.resource(Secret).namespace(namespace);
    for (const { name, secret } of volumes.filter(({ secret }) => secret !== undefined)) {
      const { data } = await secrets.get(secret.secretName);
      await mkdir(join(folder, name));
      for (const [key, value] of Object.entries(data)) {
        await writeFile(join(folder, name, key), Buffer.from(value, 'base64'), { mode: 0o600 });
      }
    }
  }

  /** Who the pod is, as a kubelet writes it down. */
  async #writeAccount(namespace, { serviceAccountName }, folder) {
    const accounts = this.#cluster.client.resource(ServiceAccount).namespace(namespace);
    const { status } = await accounts.token.create(serviceAccountName, { spec: { audiences: [] } });
    const account = join(folder, 'account');
    await mkdir(account);
    const files = { token: status.token, namespace, 'ca.crt': this.#cluster.certificateAuthority };
    for (const [name, text] of Object.entries(files)) await writeFile(join(account, name), text, { mode: 0o600 });
    return account;
  }

  /** A Service of a pod that runs gets a forwarder; the others stay without. */
  async #forward({ metadata, spec }) {
    const { uid, namespace } = metadata;
    const podOf = () =>
      [...this.#pods.values()].find(
        (pod) =>
          pod.namespace === namespace &&
          Object.entries(spec.selector ?? {}).every(([key, value]) => pod.labels?.[key] === value),
      );
    if (spec.selector === undefined || podOf() === undefined) return;
    const forwarder = new Forwarder(() => podOf()?.port);
    this.#forwarders.set(uid, forwarder);
    for (const { port } of spec.ports) await forwarder.listen(spec.clusterIP, port);
  }

  async #unforward(uid) {
    const forwarder = this.#forwarders.get(uid);
    this.#forwarders.delete(uid);
    await forwarder?.close();
  }
}
