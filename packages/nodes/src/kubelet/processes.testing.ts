import { VirtualClock } from '@binnacle/apimachinery/clock';
import { ContainerProcess, runCommand } from '../processes/index.js';
import { type MemoryProcess, MemorySystem } from '../testing/index.js';
import type { FoundRun } from './process-access.js';
import { STARTED } from './simulated-pods.testing.js';

/** Where the program of each process in memory is found; it does not run. */
const PROGRAM = process.execPath;

/** A container whose process is in memory, and the programs that run beside it. */
export async function runInMemory(hasInput = false) {
  const clock = new VirtualClock(STARTED);
  const system = new MemorySystem();
  const reaper = await system.reaper();
  const spec = { command: [PROGRAM], environment: {}, directory: '/' };
  const process = await ContainerProcess.start({ ...spec, hasInput }, reaper, clock);
  const found: FoundRun = {
    pod: {
      run: (_, command, streams, signal) =>
        runCommand({ ...spec, command: [PROGRAM, ...command] }, streams, { reaper, signal }),
    },
    run: { container: { name: 'c' }, process, environment: {}, root: '/', directory: '/' },
  };
  const [program] = system.programs;
  if (program === undefined) throw new Error('the container has no process');
  return { clock, system, program, found };
}

/** What a program has read. */
export const inputOf = ({ input }: MemoryProcess): string => String(input.read() ?? '');
