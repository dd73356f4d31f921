import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { localPodAddress } from '../node/limits/index.js';
import { type Behaviour, containerOf, type Hold, type PodEvent, type PodStep } from '../pods/index.js';
import type { ServerAddress } from './account-kubeconfig.js';
import { ImageCommands } from './image-commands.js';
import { imageHolds } from './image-holds.js';
import { type MachineProcesses, openMachine } from './machine-processes.js';
import type { Clients } from './pod-contents.js';
import { containerEventOf } from './pod-events.js';
import { PodFolder } from './pod-folder.js';
import { processBehaviour, runningIds, statusesOf } from './process-behaviour.js';
import type { ProcessRun } from './managed-run.js';
import { graceOf, ProcessPod, type ProcessPodParts } from './process-pod.js';
import { fieldHolds, refusedVolume } from './refused-fields.js';

export interface ProcessPodsOptions {
  /** `IMAGE=COMMAND` each. */
  readonly imageCommands: readonly string[];
  readonly server: ServerAddress;
  readonly clock: Clock;
  readonly serviceAddress: ProcessPodParts['serviceAddress'];
  readonly report: (error: unknown) => void;
}

/** Receives changes. */
export interface ProcessPodsListener {
  readonly onChange: (pod: Pod) => void;
  readonly onEvent: (pod: Pod, event: PodEvent) => void;
}

/** How often volumes and tokens are looked at. Upstream: about the kubelet's `syncFrequency`. Milliseconds. */
const REFRESH = 60_000;
/** How long processes may take to end when the nodes stop, in milliseconds. */
const STOP_GRACE = 2000;

/** All pods of this machine whose containers are processes. */
export class ProcessPods {
  readonly #options: ProcessPodsOptions;
  readonly #images: ImageCommands;
  readonly #folder: string;
  readonly #machine: MachineProcesses;
  /** By UID. */
  readonly #pods = new Map<string, { readonly pod: ProcessPod; clients: Clients }>();
  readonly #stopping = new AbortController();
  readonly #refreshing: Disposable;
  #listener: ProcessPodsListener = { onChange: () => undefined, onEvent: () => undefined };

  /** Rejects with an `ImageCommandError`, or with the system's error. */
  static async open(options: ProcessPodsOptions, open = openMachine): Promise<ProcessPods> {
    const images = ImageCommands.parse(options.imageCommands);
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-pods-'));
    return new ProcessPods(options, images, folder, await open(folder, options.clock));
  }

  private constructor(options: ProcessPodsOptions, images: ImageCommands, folder: string, machine: MachineProcesses) {
    this.#options = options;
    this.#images = images;
    this.#folder = folder;
    this.#machine = machine;
    this.#refreshing = repeat(options.clock, REFRESH, () => void this.#refresh());
  }

  /** The full names of the images that have a command. */
  get images(): readonly string[] {
    return this.#images.images;
  }

  /** The listener gets the pods that changed because of their processes, and their events. */
  listen(listener: ProcessPodsListener): void {
    this.#listener = listener;
  }

  behaviourOf(pod: Pod): Behaviour {
    return processBehaviour(pod, (id) => this.#pods.get(pod.metadata.uid ?? '')?.pod.knownRun(id));
  }

  /** Makes the files of a pod. Resolves to why it, or containers of it, cannot start. */
  async prepare(
    pod: Pod,
    address: string,
    clients: Clients,
    signal: AbortSignal,
  ): Promise<{ readonly mountProblem?: string | undefined; readonly holds: ReadonlyMap<string, Hold> }> {
    const entry = this.#entryOf(pod, clients);
    const holds = new Map([...fieldHolds(pod), ...imageHolds(pod, this.#images)]);
    const local = localPodAddress(address) ?? '127.0.0.1';
    const mountProblem = refusedVolume(pod) ?? (await entry.writeFiles(local, clients, signal));
    return { mountProblem, holds };
  }

  /** Starts the containers that run after a step, and ends those that must. Resolves to the events of the ends. */
  async carryOut(pod: Pod, step: PodStep, clients: Clients, signal: AbortSignal): Promise<readonly PodEvent[]> {
    const entry = this.#entryOf(pod, clients);
    const ran = new Set(runningIds(pod));
    for (const { name, containerID = '', state } of statusesOf({ status: step.status ?? {} })) {
      const container = containerOf(pod, name);
      if (state?.running === undefined || ran.has(containerID) || container === undefined) continue;
      await entry.start(container, containerID, clients, signal);
    }
    return statusesOf(pod).flatMap(({ name, containerID = '', image }) => {
      if (!step.mustEnd.includes(name) || !entry.stop(containerID)) return [];
      const hasChanged = containerOf(pod, name)?.image !== image;
      const message = hasChanged
        ? `Container ${name} definition changed, will be restarted`
        : `Stopping container ${name}`;
      return [containerEventOf(pod, name, { type: 'Normal', reason: 'Killing', message })];
    });
  }

  /** Ends what is left of a pod that is gone. */
  forget({ metadata: { uid = '' } }: Pod): void {
    const entry = this.#pods.get(uid);
    this.#pods.delete(uid);
    entry?.pod.remove(0).catch(this.#options.report);
  }

  /** The pod, and the run of a container by its ID. */
  find(
    { metadata: { uid = '' } }: Pod,
    id: string,
  ): { readonly pod: ProcessPod; readonly run: ProcessRun } | undefined {
    const pod = this.#pods.get(uid)?.pod;
    const run = pod?.runOf(id);
    return pod === undefined || run === undefined ? undefined : { pod, run };
  }

  /** Ends all processes and removes all files. */
  async close(): Promise<void> {
    this.#refreshing[Symbol.dispose]();
    this.#stopping.abort(new Error('the nodes are stopping'));
    await Promise.all([...this.#pods.values()].map(({ pod }) => pod.remove(Math.min(STOP_GRACE, graceOf(pod.pod)))));
    this.#pods.clear();
    await this.#machine.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #entryOf(pod: Pod, clients: Clients): ProcessPod {
    const { uid = '' } = pod.metadata;
    const known = this.#pods.get(uid);
    if (known !== undefined) {
      known.pod.pod = pod;
      known.clients = clients;
      return known.pod;
    }
    const made = new ProcessPod(pod, new PodFolder(join(this.#folder, uid)), {
      images: this.#images,
      server: this.#options.server,
      machine: this.#machine,
      clock: this.#options.clock,
      own: { variables: process.env, directory: process.cwd() },
      serviceAddress: this.#options.serviceAddress,
      onChange: (changed) => this.#listener.onChange(changed),
      onEvent: (subject, event) => this.#listener.onEvent(subject, event),
    });
    this.#pods.set(uid, { pod: made, clients });
    return made;
  }

  async #refresh(): Promise<void> {
    for (const { pod, clients } of this.#pods.values()) {
      if (!pod.isRunning) continue;
      // The files of deleted objects stay until the container ends, as with a kubelet.
      await pod.refresh(clients, this.#stopping.signal).catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#options.report(error);
      });
    }
  }
}
