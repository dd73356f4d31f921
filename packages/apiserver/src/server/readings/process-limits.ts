import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** The share of a cgroup's limit for the process itself; the page cache gets the rest. */
const SHARE_OF_LIMIT = 0.8;
/** The share of a machine without such a limit, which other processes use too. */
const SHARE_OF_MACHINE = 0.5;
/** The share of the heap for live objects: V8 ends the process when they fill the heap, and garbage needs room. */
const SHARE_OF_HEAP = 0.7;
/** The memory that a process takes besides its heap and buffers: code, stacks, the allocator. */
const OVERHEAD_BYTES = 64 * 1024 * 1024;

/** The memory limits of the process, in bytes. */
export interface ProcessLimits {
  /** The cgroup's limit; undefined if there is none. */
  readonly constrained: number | undefined;
  readonly machine: number;
  /** V8's limit: `--max-old-space-size`. */
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

/**
 * The limit of heap and buffers together that keeps a process below its share of `maximum`. `processes`: how many share
 * it; each has a heap of its own.
 */
export function memoryCeilingOf(
  maximum: number | undefined,
  { constrained, machine, heap }: ProcessLimits,
  processes = 1,
): number {
  if (maximum === Number.POSITIVE_INFINITY) return maximum;
  const all = maximum ?? (constrained === undefined ? machine * SHARE_OF_MACHINE : constrained * SHARE_OF_LIMIT);
  const wanted = all / processes;
  return Math.floor(Math.max(0, Math.min(wanted - OVERHEAD_BYTES, heap * SHARE_OF_HEAP)));
}
