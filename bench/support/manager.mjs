import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { builtComponents } from '../../test/interop/components/build.mjs';
import { cpuSecondsOf, memoryBytesOf } from './processes.mjs';
import { root } from './server.mjs';

/** The limits of requests would decide on the figures. */
const withoutLimits = ['--kube-api-qps=10000', '--kube-api-burst=10000'];

const commands = {
  binnacle: () => [
    process.execPath,
    join(root, 'packages/binnacle/bundle/cli/main.js'),
    'controller-manager',
    '--leader-elect=false',
    ...withoutLimits,
  ],
  'kube-controller-manager': async (folder) => [
    (await builtComponents())('kube-controller-manager'),
    '--leader-elect=false',
    '--secure-port=0',
    `--flex-volume-plugin-dir=${join(folder, 'flex-volume')}`,
    ...withoutLimits,
  ],
};

export const managerNames = Object.keys(commands);

/** Controllers in a process of their own. */
export class Manager {
  #child;

  /** `name` is one of {@link managerNames}, `store` the one of the server. */
  static async start(name, { store, controllers = '*' }) {
    const [program, ...flags] = await commands[name](store.folder);
    const manager = new Manager();
    const access = [`--kubeconfig=${join(store.folder, 'kubeconfig')}`, `--controllers=${controllers}`];
    manager.#child = spawn(program, [...flags, ...access], { stdio: ['ignore', 'ignore', 'pipe'] });
    manager.#child.stderr.pipe(createWriteStream(join(store.folder, `${name}.log`)));
    return manager;
  }

  cpuSeconds() {
    return cpuSecondsOf(this.#child.pid);
  }

  residentBytes() {
    return memoryBytesOf(this.#child.pid, 'VmRSS');
  }

  async stop() {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
