import { ChildProcess, type SpawnOptions } from 'node:child_process';
import { PassThrough, Writable } from 'node:stream';
import { type ProcessSystem, Reaper } from '../processes/index.js';

/** A system in memory, which starts nothing. Its programs do what the test tells them to. */
export class MemorySystem implements ProcessSystem {
  /** The programs in the order of their starts. The shell of a reaper is not among them. */
  readonly programs: MemoryProcess[] = [];
  /** The next program cannot be started for this reason. */
  problem: Error | undefined;
  /** Folders that reapers have removed. */
  readonly removed: string[] = [];
  #pid = 100;

  /** A reaper whose programs run in this system. */
  reaper(folder = '/pods'): Promise<Reaper> {
    return Reaper.start(folder, this);
  }

  readonly spawn = (_: string, [, , ...args]: readonly string[], options: SpawnOptions): ChildProcess => {
    // As Node.js.
    if (args.some((text) => text.includes('\0'))) throw new TypeError('must be a string without null bytes');
    const { problem } = this;
    this.problem = undefined;
    const child = new MemoryProcess(this.#pid++, args, options);
    process.nextTick(() => (problem === undefined ? child.emit('spawn') : child.emit('error', problem)));
    const pipe = Array.isArray(options.stdio) ? options.stdio[3] : undefined;
    if (pipe instanceof Writable) {
      pipe.write(`add ${child.pid}\n`);
      this.programs.push(child);
    } else this.#reap(child, args.at(-1) ?? '');
    return child;
  };

  readonly kill = (pid: number, signal: NodeJS.Signals): void => {
    const found = this.programs.find((each) => each.pid === Math.abs(pid) && !each.hasEnded);
    if (found === undefined) throw new Error('kill ESRCH');
    if (signal === 'SIGKILL' || !found.ignoresSignals) found.end(null, signal);
  };

  /** What the script of a reaper does. */
  #reap(shell: MemoryProcess, folder: string): void {
    const groups = new Set<string>();
    shell.input.on('data', (bytes: Buffer) => {
      for (const [verb, group = ''] of bytes
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split(' '))) {
        if (verb === 'add') groups.add(group);
        else groups.delete(group);
      }
    });
    shell.input.on('end', () => {
      for (const group of groups) this.programs.find(({ pid }) => String(pid) === group)?.end(null, 'SIGKILL');
      this.removed.push(folder);
      shell.end(0);
    });
  }
}

/** What can be told to reference the event loop. */
class Pipe extends PassThrough {
  unref(): this {
    return this;
  }
}

/** A program of a {@link MemorySystem}. */
export class MemoryProcess extends ChildProcess {
  override readonly pid: number;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly options: SpawnOptions;
  /** What it reads. */
  readonly input = new Pipe();
  override readonly stdin: Pipe | null;
  override readonly stdout = new PassThrough();
  override readonly stderr = new PassThrough();
  override exitCode: number | null = null;
  override signalCode: NodeJS.Signals | null = null;
  /** It ends only by SIGKILL. */
  ignoresSignals = false;
  /** Something that left its group keeps its outputs open after its end. */
  keepsOutputs = false;

  constructor(pid: number, command: readonly string[], options: SpawnOptions) {
    super();
    this.pid = pid;
    this.command = command;
    this.options = options;
    this.stdin = options.stdio?.[0] === 'pipe' ? this.input : null;
  }

  get hasEnded(): boolean {
    return this.exitCode !== null || this.signalCode !== null;
  }

  override ref(): void {}

  override unref(): void {}

  end(code: number | null, signal: NodeJS.Signals | null = null): void {
    if (this.hasEnded) return;
    this.exitCode = code;
    this.signalCode = signal;
    this.emit('exit', code, signal);
    if (this.keepsOutputs) return;
    let open = 2;
    for (const output of [this.stdout, this.stderr]) {
      output.once('end', () => {
        if (--open === 0) this.emit('close', code, signal);
      });
      output.end();
    }
  }
}
