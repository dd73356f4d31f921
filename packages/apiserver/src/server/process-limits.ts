import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Of a limit that the system sets, the share that is for the process itself: files that it reads are cached in the rest. */
const SHARE_OF_LIMIT = 0.8;
/** Of a machine without such a limit, which is there for others too. */
const SHARE_OF_MACHINE = 0.5;
/** Garbage needs room too: V8 ends the process where what lives fills its heap. */
const SHARE_OF_HEAP = 0.7;
/** What a process takes beside its heap and its buffers: code, stacks, the allocator. */
const OVERHEAD_BYTES = 64 * 1024 * 1024;

/** What the system lets a process have, bytes. */
export interface ProcessLimits {
  /** Of the cgroup; undefined where there is none. */
  readonly constrained: number | undefined;
  readonly machine: number;
  /** V8's: `--max-old-space-size`. */
  readonly heap: number;
}

export function readProcessLimits(): ProcessLimits {
  const machine = totalmem();
  const constrained = process.constrainedMemory();
  return {
    constrained: constrained > 0 && constrained < machine ? constrained : undefined,
    machine,
    heap: getHeapStatistics().heap_size_limit,
  };
}

/** How much the heap and buffers of a process may take that is to stay below `maximum`. */
export function memoryCeilingOf(maximum: number | undefined, { constrained, machine, heap }: ProcessLimits): number {
  const wanted = maximum ?? (constrained === undefined ? machine * SHARE_OF_MACHINE : constrained * SHARE_OF_LIMIT);
  return Math.floor(Math.max(0, Math.min(wanted - OVERHEAD_BYTES, heap * SHARE_OF_HEAP)));
}
