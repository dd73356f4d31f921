import type { Clock } from '@binnacle/apimachinery/clock';
import { type CommandStreams, ContainerProcess, type ProcessSpec, Reaper, runCommand } from '../processes/index.js';

/** What pods need of the process of a container. */
export type RunningProcess = Pick<ContainerProcess, 'output' | 'ended' | 'end' | 'isEnding' | 'input' | 'stop'>;

/** Starts the processes of pods. */
export interface MachineProcesses {
  /** Starts the process of a container. One that cannot start counts as ended. */
  start(spec: ProcessSpec): Promise<RunningProcess>;
  /** Runs a command until it ends. The signal kills it. */
  run(spec: Omit<ProcessSpec, 'hasInput'>, streams: CommandStreams, signal: AbortSignal): ReturnType<typeof runCommand>;
  /** Kills what still runs. */
  close(): Promise<void>;
}

/** Processes of this machine. They and the folder go with this process. Rejects with the system's error. */
export async function openMachine(folder: string, clock: Clock): Promise<MachineProcesses> {
  const reaper = await Reaper.start(folder);
  return {
    start: (spec) => ContainerProcess.start(spec, reaper, clock),
    run: (spec, streams, signal) => runCommand(spec, streams, { reaper, signal }),
    close: () => reaper.close(),
  };
}
