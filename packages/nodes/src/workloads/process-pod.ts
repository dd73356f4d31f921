import { setMaxListeners } from 'node:events';
import type { Clock } from '@binnacle/apimachinery/clock';
import { numberOf } from '@binnacle/apimachinery/json';
import { type Container, type Pod, Service } from '@binnacle/client/kinds/core/v1';
import { type PodEvent, type Source, variableReferences } from '../pods/index.js';
import type { CommandStreams } from '../processes/index.js';
import { accountKubeconfig, type ServerAddress } from './account-kubeconfig.js';
import { commandOf } from './command-of.js';
import type { ImageCommands } from './image-commands.js';
import type { MachineProcesses } from './machine-processes.js';
import { LEAST_GRACE, ManagedRun, type ProcessRun } from './managed-run.js';
import { below, localPaths, TOKEN_MOUNT } from './mounts.js';
import { type Clients, PodContents } from './pod-contents.js';
import type { PodFolder } from './pod-folder.js';
import { containerEventOf } from './pod-events.js';
import type { KnownRun } from './process-behaviour.js';
import { processEnvironment } from './process-environment.js';
import { type LocalAddress, serviceVariables } from './service-variables.js';
import { filesOf, VolumeProblem } from './volume-files.js';

export interface ProcessPodParts {
  readonly images: ImageCommands;
  readonly server: ServerAddress;
  readonly machine: MachineProcesses;
  readonly clock: Clock;
  /** The variables and the working directory of this process. */
  readonly own: { readonly variables: NodeJS.ProcessEnv; readonly directory: string };
  /** Where processes reach a port of a service; undefined: nowhere. */
  readonly serviceAddress: (service: Service, port: number) => LocalAddress | undefined;
  /** The pod is to be looked at again. */
  readonly onChange: (pod: Pod) => void;
  readonly onEvent: (pod: Pod, event: PodEvent) => void;
}

/** Runs of a container whose output is kept: the current one and the last. */
const KEPT_RUNS = 2;
const USUAL_GRACE = 30;
/** How many characters of the output of a probe or a hook are kept. */
const MOST_OUTPUT = 10 * 1024;

/** A pod whose containers are processes: its files, and the runs of its containers. */
export class ProcessPod {
  /** The latest state of the pod. */
  pod: Pod;
  readonly folder: PodFolder;
  readonly #parts: ProcessPodParts;
  readonly #contents: PodContents;
  readonly #runs = new Map<string, ManagedRun>();
  readonly #gone = new AbortController();
  #address = '127.0.0.1';
  #hasFiles = false;

  constructor(pod: Pod, folder: PodFolder, parts: ProcessPodParts) {
    this.pod = pod;
    this.folder = folder;
    this.#parts = parts;
    this.#contents = new PodContents(parts.clock);
    setMaxListeners(0, this.#gone.signal);
  }

  /** Where its processes listen. */
  get address(): string {
    return this.#address;
  }

  /** By the ID of the container. */
  runOf(id: string): ProcessRun | undefined {
    return this.#runs.get(id)?.run;
  }

  knownRun(id: string): KnownRun | undefined {
    return this.#runs.get(id)?.known;
  }

  /** Writes the files of the volumes, those that have changed once they are there. Resolves to why that is not possible. */
  async writeFiles(address: string, clients: Clients, signal: AbortSignal): Promise<string | undefined> {
    this.#address = address;
    if (this.#hasFiles) return undefined;
    try {
      await this.refresh(clients, signal);
      this.#hasFiles = true;
      return undefined;
    } catch (error) {
      if (error instanceof VolumeProblem) return error.message;
      throw error;
    }
  }

  /** Writes what has changed in the objects of which its volumes are made, and renews tokens. Rejects with a {@link VolumeProblem}. */
  async refresh(clients: Clients, signal: AbortSignal): Promise<void> {
    const { pod } = this;
    const contents = await this.#contents.forVolumes(pod, clients, signal);
    for (const volume of pod.spec?.volumes ?? []) {
      await this.folder.writeVolume(volume.name, filesOf(volume, pod, contents));
    }
  }

  /** Whether a process of it runs. */
  get isRunning(): boolean {
    return [...this.#runs.values()].some(({ run }) => run.process.end === undefined);
  }

  /** Starts a container, unless this run of it has been started. */
  async start(container: Container, id: string, clients: Clients, signal: AbortSignal): Promise<void> {
    const mapped = this.#parts.images.find(container.image ?? '');
    if (this.#runs.has(id) || this.#gone.signal.aborted || mapped === undefined) return;
    const root = await this.folder.makeRoot(container);
    const variables = await this.#variables(container, root, clients, signal);
    const environment = Object.fromEntries(variables);
    const { workingDir, stdin: hasInput = false } = container;
    const directory = workingDir === undefined ? this.#parts.own.directory : below(root, workingDir);
    const command = commandOf(mapped, container, { variables, root });
    if (this.#gone.signal.aborted) return;
    const process = await this.#parts.machine.start({ command, environment, directory, hasInput });
    const run: ProcessRun = { container, process, environment, root, directory };
    const managed = this.#manage(run);
    this.#runs.set(id, managed);
    this.#dropOld(container.name);
    if (this.#gone.signal.aborted) managed.end(0);
  }

  /** Tells a container to end. Returns whether it had not been told before. */
  stop(id: string, grace = graceSeconds(this.pod) * 1000): boolean {
    return this.#runs.get(id)?.stop(grace) === true;
  }

  /** Runs a command as a process of a container: with its variables and its directory. */
  run(
    { environment, directory, container, root }: ProcessRun,
    command: readonly string[],
    streams: CommandStreams,
    signal: AbortSignal,
  ): ReturnType<MachineProcesses['run']> {
    const words = command.map(localPaths(container, root));
    const either = AbortSignal.any([signal, this.#gone.signal]);
    return this.#parts.machine.run({ command: words, environment, directory }, streams, either);
  }

  /** Ends all processes without their hooks, and then removes the files. */
  async remove(grace: number): Promise<void> {
    this.#gone.abort(new Error('the pod is gone'));
    await Promise.all(
      [...this.#runs.values()].map((managed) => {
        managed.end(grace);
        return managed.run.process.ended;
      }),
    );
    await this.folder.remove();
  }

  async #variables(
    container: Container,
    root: string,
    clients: Clients,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const { pod } = this;
    const { namespace = '' } = pod.metadata;
    const bytes = await this.#contents.read(pod, variableReferences(container), clients, signal);
    const textsOf = ({ kind, name }: Source) => {
      const found = bytes.get(`${kind}/${name}`);
      return found && new Map(Array.from(found, ([key, value]) => [key, value.toString()]));
    };
    const hasToken = container.volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_MOUNT) === true;
    const tokenFile = below(root, `${TOKEN_MOUNT}/token`);
    const kubeconfig = hasToken
      ? await this.folder.writeKubeconfig(
          container.name,
          accountKubeconfig(this.#parts.server, { tokenFile, namespace }),
        )
      : undefined;
    return processEnvironment(pod, container, {
      root,
      kubeconfig,
      address: this.#address,
      own: this.#parts.own.variables,
      valuesOf: textsOf,
      services: serviceVariables(await servicesFor(pod, clients, signal), this.#parts.serviceAddress),
    });
  }

  #manage(run: ProcessRun): ManagedRun {
    const { clock, onChange, onEvent } = this.#parts;
    const { name } = run.container;
    return new ManagedRun(run, {
      clock,
      address: this.#address,
      run: (command, signal) => this.#runInside(run, command, signal),
      grace: () => graceSeconds(this.pod) * 1000,
      onChange: () => onChange(this.pod),
      onEvent: (type, reason, message) =>
        onEvent(this.pod, containerEventOf(this.pod, name, { type, reason, message })),
    });
  }

  /** For probes and hooks. */
  async #runInside(run: ProcessRun, command: readonly string[], signal: AbortSignal) {
    let output = '';
    const write = async (bytes: Buffer): Promise<void> => {
      output = `${output}${bytes.toString()}`.slice(0, MOST_OUTPUT);
    };
    const ending = await this.run(run, command, { stdin: undefined, stdout: write, stderr: write }, signal);
    signal.throwIfAborted();
    return 'problem' in ending ? { exitCode: 1, output: ending.problem } : { exitCode: ending.code, output };
  }

  #dropOld(name: string): void {
    const runs = [...this.#runs].filter(([, { run }]) => run.container.name === name);
    for (const [id] of runs.slice(0, -KEPT_RUNS)) this.#runs.delete(id);
  }
}

/** Clients read 64 bits, and get a `bigint` of more than 2^53. */
const graceSeconds = ({ metadata, spec }: Pod): number =>
  numberOf(metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? USUAL_GRACE);

/** How long the containers of a pod may take to end, in milliseconds. */
export const graceOf = (pod: Pod): number => Math.max(LEAST_GRACE, graceSeconds(pod) * 1000);

/** The services that have variables: the cluster's own, and those of the pod's namespace unless it wants none. */
async function servicesFor(
  { metadata, spec }: Pod,
  { reader }: Clients,
  signal: AbortSignal,
): Promise<readonly Service[]> {
  const services = reader.resource(Service);
  const own = await services.namespace('default').get('kubernetes', { signal });
  if (spec?.enableServiceLinks === false) return [own];
  const { items } = await services.namespace(metadata.namespace ?? '').list({ signal });
  return [own, ...items.filter(({ metadata: { uid } }) => uid !== own.metadata.uid)];
}
