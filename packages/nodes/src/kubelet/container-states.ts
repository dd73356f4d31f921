import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { statusOf } from '../logs/index.js';
import {
  type Container as ShellContainer,
  containerFiles,
  type FileTree,
  type Network,
  noNetwork,
  resolvePath,
} from '../shell/index.js';
import { environmentOf } from '../pods/index.js';

/** The number of containers that keep the files which clients have written to them. */
const MOST = 16;

/** What clients have changed in running containers. A container that restarts, or is not used for long, loses these changes. */
export class ContainerStates {
  readonly #files = new Map<string, FileTree>();
  readonly #networkOf: (pod: Pod) => Network;

  constructor(networkOf: (pod: Pod) => Network = () => noNetwork) {
    this.#networkOf = networkOf;
  }

  /** Throws a `FileProblem` if the working directory cannot be a path. */
  of(pod: Pod, container: Container): ShellContainer {
    const { hostname = pod.metadata.name ?? '' } = pod.spec ?? {};
    const workingDirectory = resolvePath('/', container.workingDir ?? '');
    const key = statusOf(pod, container.name)?.containerID ?? '';
    const files = this.#files.get(key) ?? containerFiles(hostname, workingDirectory);
    this.#files.delete(key);
    this.#files.set(key, files);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MOST) break;
      this.#files.delete(oldest);
    }
    return {
      hostname,
      workingDirectory,
      files,
      network: this.#networkOf(pod),
      environment: environmentOf(pod, container, { base: baseOf(hostname) }),
    };
  }
}

/** What a container runtime sets. Values of ConfigMaps and Secrets are left out, because the node does not read these. */
const baseOf = (hostname: string): ReadonlyMap<string, string> =>
  new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostname],
    ['HOME', '/root'],
  ]);
