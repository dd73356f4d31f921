import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect, DynamicClient, loadConfig, readBody } from '@binnacle/client';
import { Namespace, Node, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { ClusterRoleBinding } from '@binnacle/client/kinds/rbac/v1';
import { eventually, waitFor } from '@binnacle/client/testing';
import { here } from '../programs.mjs';
import { binaries } from './build.mjs';
import { bootstrapBindings, writeKubeconfig, writeSigningKey, writeTokens } from './credentials.mjs';
import { removeHollowFolders } from './hollow-folders.mjs';
import { hasCondition } from './objects.mjs';
import { Program } from './program.mjs';

const main = resolve(here, '../../packages/binnacle/bundle/cli/main.js');
/** Generous, for machines that are busy, and for loops that look once in half a minute. */
export const PATIENT = { timeout: 180_000 };
export const nodeNames = ['n1', 'n2'];
/** The nodes that `binnacle nodes` makes. */
const simulatedNodeNames = ['node-0', 'node-1'];
/** The controller managers by their make, and the names of their programs. */
export const managers = { upstream: 'kube-controller-manager', ours: 'controller-manager' };
/** A resource that each node has one of. */
export const LAMP = 'example.com/lamp';

/**
 * A server whose own control loops are off, and upstream's components, each with the rights and in the way that a cluster gives it:
 * nodes ask for their certificates, loops have accounts of their own.
 */
export class Cluster {
  #folder = mkdtempSync(join(tmpdir(), 'components-'));
  #contentType;
  #logs;
  #makes;
  #serverFlags;
  #transport;
  /** All that was started, by name, in that order. */
  programs = new Map();

  /**
   * `contentType` is what the components send and ask for, `logs` a folder for what they say, `serverFlags` are further ones of the
   * server. `makes` says whose `controllers`, `scheduler` and `nodes` run: `upstream`, unless it is `ours`. The components must have been built.
   */
  constructor({ contentType, logs, serverFlags = {}, makes = {} }) {
    this.#contentType = contentType;
    this.#logs = logs;
    this.#makes = makes;
    this.#serverFlags = serverFlags;
  }

  async start() {
    await mkdir(this.#logs, { recursive: true });
    await Promise.all([writeTokens(this.#path('tokens.csv')), writeSigningKey(this.#path('sa.key'))]);
    await this.#startServer('binnacle', 0);
    for (const binding of bootstrapBindings) await this.client.resource(ClusterRoleBinding).create(binding);
    const { controllers = 'upstream', scheduler, nodes } = this.#makes;
    await Promise.all([
      this.startManager(controllers),
      scheduler === 'ours' ? this.#startOurs('scheduler') : this.startScheduler(),
      this.#startProxy(),
      ...(nodes === 'ours' ? [this.#startSimulatedNodes()] : nodeNames.map((name) => this.startNode(name))),
    ]);
    const names = nodes === 'ours' ? simulatedNodeNames : nodeNames;
    await Promise.all(names.map((name) => waitFor(this.client.resource(Node), name, hasCondition('Ready'), PATIENT)));
  }

  /** Kills the server, and starts another one over the same data, where clients look for it. */
  async replaceServer() {
    await this.programs.get('binnacle').stop('SIGKILL');
    await this.#transport.close();
    await this.#startServer('binnacle-2', new URL(this.url).port);
  }

  async #startServer(name, port) {
    const kubeconfig = this.#path(`${name}.kubeconfig`);
    this.kubeconfigFile = kubeconfig;
    const server = this.#run(name, process.execPath, main, 'serve', {
      'data-dir': this.#path('data'),
      'secure-port': port,
      controllers: '',
      'write-kubeconfig': kubeconfig,
      'token-auth-file': this.#path('tokens.csv'),
      'service-account-signing-key-file': this.#path('sa.key'),
      ...this.#serverFlags,
    });
    // The kubeconfig is written last, when the server answers.
    const config = await eventually(() => {
      server.assertUnbroken();
      return loadConfig({ path: kubeconfig });
    }, PATIENT);
    this.url = config.server;
    this.certificateAuthority = config.certificateAuthority;
    this.#transport = connect(config);
    this.client = new DynamicClient(this.#transport);
  }

  /**
   * Starts a controller manager as the program `name`: `make` is a key of {@link managers}. Managers of both makes elect one leader by the
   * same Lease.
   */
  async startManager(make, { name = managers[make], flags = {} } = {}) {
    const common = {
      'root-ca-file': this.#authority('crt'),
      'service-account-private-key-file': this.#path('sa.key'),
      'cluster-signing-cert-file': this.#authority('crt'),
      'cluster-signing-key-file': this.#authority('key'),
      ...flags,
    };
    if (make === 'ours') {
      this.#startOurs('controller-manager', common, name);
      return;
    }
    this.#run(name, this.#binary('kube-controller-manager'), {
      kubeconfig: await this.#kubeconfigOf('kube-controller-manager'),
      'use-service-account-credentials': true,
      'kube-api-content-type': this.#contentType,
      'secure-port': 0,
      // Or it makes one for the whole machine.
      'flex-volume-plugin-dir': this.#path('flex-volume'),
      ...common,
    });
  }

  async startScheduler(name = 'kube-scheduler') {
    const kubeconfig = await this.#kubeconfigOf('kube-scheduler');
    this.#run(name, this.#binary('kube-scheduler'), {
      kubeconfig,
      'kube-api-content-type': this.#contentType,
      'secure-port': 0,
    });
  }

  async startNode(name, flags = {}) {
    const folder = this.#path(name);
    await mkdir(folder);
    const bootstrap = await this.#kubeconfigOf('bootstrap', join(folder, 'bootstrap'));
    this.#run(name, this.#binary('kubemark'), {
      morph: 'kubelet',
      name,
      'bootstrap-kubeconfig': bootstrap,
      kubeconfig: join(folder, 'kubeconfig'),
      'cert-dir': join(folder, 'pki'),
      'kube-api-content-type': this.#contentType,
      'kubelet-port': 0,
      'kubelet-read-only-port': 0,
      'use-host-image-service': false,
      'extended-resources': `${LAMP}=1`,
      ...flags,
    });
  }

  #startSimulatedNodes() {
    this.#startOurs('nodes', { count: simulatedNodeNames.length });
  }

  /** Starts a component of this project. It acts as the user of the kubeconfig. */
  #startOurs(command, flags = {}, name = command) {
    this.#run(name, process.execPath, main, command, { kubeconfig: this.kubeconfigFile, ...flags });
  }

  async #startProxy() {
    this.#run('kube-proxy', this.#binary('kubemark'), {
      morph: 'proxy',
      name: nodeNames[0],
      kubeconfig: await this.#kubeconfigOf('kube-proxy'),
      'kube-api-content-type': this.#contentType,
    });
  }

  /** A namespace of a test's own, which has its default account: `resourcesOf(kind)` of the answer are in it. */
  async namespace(name) {
    await this.client.resource(Namespace).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const resourcesOf = (kind) => this.client.resource(kind).namespace(name);
    await waitFor(resourcesOf(ServiceAccount), 'default', () => true, PATIENT);
    return resourcesOf;
  }

  /** What the administrator gets at a path that names no resource. */
  async read(path) {
    return Buffer.from(await readBody(await this.#transport.send({ method: 'GET', path }))).toString();
  }

  assertUnbroken() {
    for (const program of this.programs.values()) program.assertUnbroken();
  }

  /** Makes a folder that goes with the cluster. */
  async folderFor(name) {
    await mkdir(this.#path(name));
    return this.#path(name);
  }

  /** Ends all of them, the server last. */
  async stop() {
    await this.#transport?.close();
    const all = [...this.programs.values()];
    const [servers, components] = [true, false].map((isServer) =>
      all.filter(({ name }) => name.startsWith('binnacle') === isServer),
    );
    for (const programs of [components, servers]) await Promise.all(programs.map((program) => program.stop()));
    await removeHollowFolders(components);
    await rm(this.#folder, { recursive: true });
  }

  #run(name, ...command) {
    const flags = Object.entries(command.pop()).map(([flag, value]) => `--${flag}=${value}`);
    const program = new Program(name, [...command, ...flags], {
      logFile: join(this.#logs, `${name}.log`),
      environment: { TMPDIR: this.#folder },
    });
    this.programs.set(name, program);
    return program;
  }

  async #kubeconfigOf(user, file = this.#path(user)) {
    await writeKubeconfig(file, { server: this.url, authorityFile: this.#authority('crt'), token: user });
    return file;
  }

  #authority = (ending) => this.#path(join('data', 'pki', `ca.${ending}`));
  #binary = (name) => join(binaries, name);
  #path = (name) => join(this.#folder, name);
}
