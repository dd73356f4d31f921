import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

/** Starts programs, and sends them signals. */
export interface ProcessSystem {
  readonly spawn: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  /** A negative number is a process group. Throws the system's error. */
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
}

/** The system of this machine. */
export const localSystem: ProcessSystem = { spawn, kill: (pid, signal) => void process.kill(pid, signal) };
