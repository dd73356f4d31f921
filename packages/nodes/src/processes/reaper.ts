import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { localSystem, type ProcessSystem } from './system.js';

/**
 * Reads which process groups start and end. At the end of its input it kills those that still run, and removes the folder.
 * The system closes the input when the server ends, even by SIGKILL. While the script waits, it uses only shell builtins.
 */
const SCRIPT = `
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    remove) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
rm -rf -- "$1"
`;

/** Reports its own process group to the reaper, and becomes the command. */
const JOIN = 'echo "add $$" >&3 && exec 3>&- && exec "$0" "$@"';

/** Ends all processes when this one ends, even if it is killed. */
export class Reaper {
  /** Starts the programs that end with this process. */
  readonly system: ProcessSystem;
  readonly #shell: ChildProcess;
  readonly #input: Socket;
  readonly #ended: Promise<void>;

  /** Removes `folder` at the end. Rejects with the system's error. */
  static async start(folder: string, system = localSystem): Promise<Reaper> {
    // In a session of its own, no key of a terminal ends it.
    const shell = system.spawn('/bin/sh', ['-c', SCRIPT, 'sh', folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    await new Promise((resolve, reject) => shell.once('spawn', resolve).once('error', reject));
    return new Reaper(shell, system);
  }

  private constructor(shell: ChildProcess, system: ProcessSystem) {
    this.system = system;
    this.#shell = shell;
    // A pipe of a child is a socket, which is what another child can inherit.
    this.#input = shell.stdin as Socket;
    this.#input.on('error', () => undefined);
    this.#ended = new Promise((resolve) => shell.once('exit', () => resolve()));
    shell.unref();
    this.#input.unref();
  }

  /** Whether it still runs, so that no process would survive this one. */
  get works(): boolean {
    return this.#shell.exitCode === null && this.#shell.signalCode === null;
  }

  /** The command to spawn, in a process group of its own, with {@link pipe} as its file 3. The group is known before it runs. */
  static wrapped([program = '', ...args]: readonly string[]): readonly [string, readonly string[]] {
    return ['/bin/sh', ['-c', JOIN, program, ...args]];
  }

  get pipe(): Socket {
    return this.#input;
  }

  /** The group has ended, and its number may be given to others. */
  remove(group: number): void {
    if (this.works) this.#input.write(`remove ${group}\n`);
  }

  /** Kills all groups that have not been removed. */
  async close(): Promise<void> {
    this.#shell.ref();
    this.#input.end();
    await this.#ended;
  }
}
