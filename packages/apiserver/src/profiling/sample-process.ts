import type { HeapProfiler, Profiler, Runtime } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import type { Frame, StackProfile, StackTree } from './stack-tree.js';

/** What can be sampled. */
export type ProfileKind = 'profile' | 'heap' | 'allocs';

/** Go's rate, 100 a second. In microseconds. */
const CPU_INTERVAL = 10_000;
/** Go's rate, one sample for this many bytes on average. */
const HEAP_INTERVAL = 512 * 1024;
const NANOSECONDS_PER_MICROSECOND = 1000;

/**
 * Samples this process until `end` resolves. A rejection of `end` stops it, and is thrown. At most one call may run at a time:
 * V8 has one sampler a thread.
 */
export async function sampleProcess(kind: ProfileKind, end: () => Promise<void>): Promise<StackProfile> {
  const session = new Session();
  session.connect();
  try {
    return await (kind === 'profile' ? sampleCpu(session, end) : sampleHeap(session, end, kind));
  } finally {
    // Disconnecting also ends a profile that is still running.
    session.disconnect();
  }
}

async function sampleCpu(session: Session, end: () => Promise<void>): Promise<StackProfile> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL });
  await session.post('Profiler.start');
  await end();
  const { profile } = await session.post('Profiler.stop');
  return {
    root: cpuTree(profile),
    dimensions: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    period: CPU_INTERVAL * NANOSECONDS_PER_MICROSECOND,
  };
}

/** Leaves out the time in which the process was idle, as in Go. */
export function cpuTree({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): StackTree {
  const values = new Map<number, [samples: number, nanoseconds: number]>();
  samples.forEach((id, index) => {
    const value = values.get(id) ?? [0, 0];
    value[0] += 1;
    value[1] += Math.max(0, timeDeltas[index] ?? 0) * NANOSECONDS_PER_MICROSECOND;
    values.set(id, value);
  });
  const trees = new Map<number, StackTree & { readonly children: StackTree[] }>();
  for (const { id, callFrame } of nodes) {
    const isIdle = callFrame.functionName === '(idle)';
    trees.set(id, { frame: frameOf(callFrame), values: isIdle ? undefined : values.get(id), children: [] });
  }
  for (const { id, children = [] } of nodes) {
    trees.get(id)?.children.push(...children.flatMap((child) => trees.get(child) ?? []));
  }
  return trees.get(nodes[0]?.id ?? 0) ?? emptyTree;
}

async function sampleHeap(session: Session, end: () => Promise<void>, kind: 'heap' | 'allocs'): Promise<StackProfile> {
  const isAll = kind === 'allocs';
  await session.post('HeapProfiler.enable');
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: HEAP_INTERVAL,
    includeObjectsCollectedByMajorGC: isAll,
    includeObjectsCollectedByMinorGC: isAll,
  });
  await end();
  const { profile } = await session.post('HeapProfiler.stopSampling');
  return {
    root: heapTree(profile.head),
    dimensions: [{ type: isAll ? 'alloc_space' : 'inuse_space', unit: 'bytes' }],
    period: HEAP_INTERVAL,
  };
}

export function heapTree({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode): StackTree {
  return {
    frame: frameOf(callFrame),
    values: selfSize === 0 ? undefined : [selfSize],
    children: children.map(heapTree),
  };
}

const frameOf = ({ functionName, url, lineNumber }: Runtime.CallFrame): Frame => ({
  name: functionName,
  file: url,
  line: lineNumber + 1,
});

const emptyTree: StackTree = { frame: { name: '(root)', file: '', line: 0 }, values: undefined, children: [] };
