import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, DynamicClient, loadConfig } from '@binnacle/client';
import { createIssuer } from '@binnacle/client/certificates';
import { Node } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor } from '@binnacle/client/testing';
import { builtComponents } from '../interop/components/build.mjs';
import { users, writeKubeconfig, writeSigningKey, writeTokens } from '../interop/components/credentials.mjs';
import { removeHollowFolders } from '../interop/components/hollow-folders.mjs';
import { hasCondition } from '../interop/components/objects.mjs';
import { Program } from '../interop/components/program.mjs';

const main = resolve(import.meta.dirname, '../../packages/binnacle/bundle/cli/main.js');
/** For machines that are busy. */
const PATIENT = { timeout: 600_000 };
/** The user of the recordings. */
const ADMINISTRATOR = 'admin';

/** The settings of the recordings that are not upstream's defaults, of kube-controller-manager. */
const recordedManagerFlags = {
  'node-monitor-grace-period': '20s',
  'horizontal-pod-autoscaler-sync-period': '5s',
  'kube-api-qps': 200,
  'kube-api-burst': 400,
};
/** The same for Binnacle's controllers: an entry for each of these flags that `binnacle serve` has. */
const recordedServerFlags = {
  'node-monitor-grace-period': '20s',
  'horizontal-pod-autoscaler-sync-period': '5s',
  'kube-api-qps': 200,
  'kube-api-burst': 400,
};

/**
 * Binnacle in memory with its controllers, and of upstream what Binnacle does not run: kube-scheduler, hollow nodes, and
 * kube-controller-manager for other controllers. All files are in a folder of its own, all ports are free ones.
 */
export class ControlPlane {
  #folder = mkdtempSync(join(tmpdir(), 'control-plane-'));
  #programs = [];
  #controllers;
  #scheduler;
  #simulatesNodes;
  #logs;
  #transport;
  #stopped;
  /** The names of the nodes. */
  nodes;

  /**
   * `controllers` as {@link divideControllers} returns them. `scheduler`: `ours` or `upstream`. `simulatesNodes`: Binnacle
   * runs the nodes, else they are hollow. `logs`: a folder that outlives the run.
   */
  constructor({ controllers, scheduler, nodes, simulatesNodes, logs }) {
    this.#controllers = controllers;
    this.#scheduler = scheduler;
    this.#simulatesNodes = simulatesNodes;
    this.#logs = logs ?? join(this.#folder, 'logs');
    this.nodes = Array.from({ length: nodes }, (_, index) => `${simulatesNodes ? '' : 'hollow-'}node-${index}`);
  }

  /** Resolves when pods can run. */
  async start() {
    await mkdir(this.#logs, { recursive: true });
    const components = this.#componentsOfUpstream();
    const [pathOf] = await Promise.all([
      components.length === 0 ? undefined : builtComponents(),
      this.#writeCredentials(),
    ]);
    await this.#startServer();
    await Promise.all(components.map((start) => start(pathOf)));
    const nodes = this.client.resource(Node);
    const ready = new AbortController();
    const waiting = Promise.all(this.nodes.map((name) => waitFor(nodes, name, takesPods, PATIENT)));
    await Promise.race([waiting, this.#unbroken(ready.signal)]).finally(() => ready.abort());
  }

  /** Functions that start them. */
  #componentsOfUpstream() {
    const { upstream } = this.#controllers;
    return [
      ...(upstream === undefined ? [] : [(pathOf) => this.#startManager(pathOf, upstream)]),
      ...(this.#scheduler === 'ours' ? [] : [(pathOf) => this.#startScheduler(pathOf)]),
      ...(this.#simulatesNodes ? [] : this.nodes.map((name) => (pathOf) => this.#startNode(pathOf, name))),
    ];
  }

  /** Kills all programs and removes their files. Idempotent. */
  stop() {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    await this.#transport?.close();
    // Nothing outlives the run, so no program needs to finish its work.
    await Promise.all(this.#programs.map((program) => program.stop('SIGKILL')));
    await removeHollowFolders(this.#programs);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #writeCredentials() {
    const nodes = this.nodes.map((name) => [name, [`system:node:${name}`, 'system:nodes']]);
    const all = { ...users, ...Object.fromEntries(nodes), [ADMINISTRATOR]: [ADMINISTRATOR, 'system:masters'] };
    const { authority } = await createIssuer('control-plane', Date.now());
    await Promise.all([
      writeTokens(this.#path('tokens.csv'), all),
      writeSigningKey(this.#path('sa.key')),
      writeFile(this.#path('signer.crt'), authority.certificate),
      writeFile(this.#path('signer.key'), authority.privateKey, { mode: 0o600 }),
    ]);
  }

  async #startServer() {
    const kubeconfig = this.#path('kubeconfig');
    const program = this.#run('binnacle', [process.execPath, main, 'serve', '--in-memory'], {
      'secure-port': 0,
      'write-kubeconfig': kubeconfig,
      'token-auth-file': this.#path('tokens.csv'),
      'client-ca-file': this.#path('signer.crt'),
      'service-account-signing-key-file': this.#path('sa.key'),
      'service-cluster-ip-range': '10.0.0.0/24',
      scheduler: this.#scheduler === 'ours',
      nodes: this.#simulatesNodes ? this.nodes.length : 0,
      // The recorded cluster had no metrics.k8s.io.
      'node-metrics': false,
      controllers: this.#controllers.ours,
      'cluster-signing-cert-file': this.#path('signer.crt'),
      'cluster-signing-key-file': this.#path('signer.key'),
      ...recordedServerFlags,
    });
    // The server writes the kubeconfig when it answers.
    const config = await eventually(() => {
      program.assertUnbroken();
      return loadConfig({ path: kubeconfig });
    }, PATIENT);
    await writeFile(this.#path('ca.crt'), config.certificateAuthority);
    const { server, certificateAuthority } = config;
    this.access = { server, certificateAuthority, token: ADMINISTRATOR };
    this.#transport = connect(config);
    this.client = new DynamicClient(this.#transport);
  }

  async #startManager(pathOf, controllers) {
    this.#run('kube-controller-manager', [pathOf('kube-controller-manager')], {
      kubeconfig: await this.#kubeconfigOf('kube-controller-manager'),
      controllers,
      'use-service-account-credentials': true,
      'service-account-private-key-file': this.#path('sa.key'),
      'root-ca-file': this.#path('ca.crt'),
      'cluster-signing-cert-file': this.#path('signer.crt'),
      'cluster-signing-key-file': this.#path('signer.key'),
      'leader-elect': false,
      'secure-port': 0,
      // The default is a folder of the machine.
      'flex-volume-plugin-dir': this.#path('flex-volume'),
      ...recordedManagerFlags,
    });
  }

  async #startScheduler(pathOf) {
    this.#run('kube-scheduler', [pathOf('kube-scheduler')], {
      kubeconfig: await this.#kubeconfigOf('kube-scheduler'),
      'leader-elect': false,
      'secure-port': 0,
    });
  }

  async #startNode(pathOf, name) {
    this.#run(name, [pathOf('kubemark')], {
      morph: 'kubelet',
      name,
      kubeconfig: await this.#kubeconfigOf(name),
      'kubelet-port': 0,
      'kubelet-read-only-port': 0,
      'use-host-image-service': false,
      'kube-api-qps': 50,
      'kube-api-burst': 100,
    });
  }

  #run(name, command, flags) {
    const options = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const program = new Program(name, [...command, ...options], {
      logFile: join(this.#logs, `${name}.log`),
      environment: { TMPDIR: this.#folder },
    });
    this.#programs.push(program);
    return program;
  }

  /** Rejects when a program ends. Resolves with the signal. */
  async #unbroken(signal) {
    while (!signal.aborted) {
      for (const program of this.#programs) program.assertUnbroken();
      await sleep(500);
    }
  }

  async #kubeconfigOf(user) {
    const file = this.#path(`${user}.kubeconfig`);
    await writeKubeconfig(file, { server: this.access.server, authorityFile: this.#path('ca.crt'), token: user });
    return file;
  }

  #path = (name) => join(this.#folder, name);
}

const isReady = hasCondition('Ready');
const takesPods = (node) => (node.spec?.taints ?? []).length === 0 && isReady(node);
