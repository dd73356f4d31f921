import { Profile, StringTable } from 'pprof-format';
import type { Frame, StackProfile, StackTree } from './stack-tree.js';

/** Deeper stacks lose their outermost frames. Upstream: Go's runtime. */
const MOST_FRAMES = 64;
const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** When a profile began, in milliseconds since the epoch, and how long it took, in milliseconds. */
export interface Span {
  readonly begun: number;
  readonly duration: number;
}

/** The profile in the format of `go tool pprof`, not compressed. */
export function toPprof({ root, dimensions, period }: StackProfile, { begun, duration }: Span): Promise<Uint8Array> {
  const strings = new StringTable();
  const places = new Places(strings);
  const sample = Array.from(samplesOf(root), ({ stack, values }) => ({
    locationId: stack.slice(0, MOST_FRAMES).map((frame) => places.idOf(frame)),
    value: [...values],
  }));
  const sampleType = dimensions.map(({ type, unit }) => ({ type: strings.dedup(type), unit: strings.dedup(unit) }));
  const periodType = sampleType.at(-1);
  const profile = new Profile({
    sampleType,
    sample,
    location: places.locations,
    function: places.functions,
    stringTable: strings,
    timeNanos: BigInt(Math.round(begun)) * BigInt(NANOSECONDS_PER_MILLISECOND),
    durationNanos: Math.round(duration * NANOSECONDS_PER_MILLISECOND),
    ...(periodType === undefined ? {} : { periodType }),
    period,
  });
  return profile.encodeAsync();
}

interface StackSample {
  /** From the function that was sampled to its outermost caller. */
  readonly stack: readonly Frame[];
  readonly values: readonly number[];
}

/** Walks without recursion, since the program's stacks may be deep. */
function* samplesOf(root: StackTree): Generator<StackSample> {
  interface Step {
    readonly tree: StackTree;
    readonly stack: readonly Frame[];
  }
  const pending: Step[] = root.children.map((tree) => ({ tree, stack: [tree.frame] }));
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { tree, stack } = step;
    if (tree.values !== undefined) yield { stack, values: tree.values };
    for (const child of tree.children) {
      pending.push({ tree: child, stack: [child.frame, ...stack.slice(0, MOST_FRAMES - 1)] });
    }
  }
}

/** Numbers the functions and locations of a profile. A function has one location, because samples name no lines within functions. */
class Places {
  readonly functions: { id: number; name: number; systemName: number; filename: number; startLine: number }[] = [];
  readonly locations: { id: number; line: { functionId: number; line: number }[] }[] = [];
  readonly #strings: StringTable;
  readonly #ids = new Map<string, number>();

  constructor(strings: StringTable) {
    this.#strings = strings;
  }

  idOf({ name, file, line }: Frame): number {
    const key = `${name}\n${file}\n${line}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.functions.length + 1;
    const text = this.#strings.dedup(name === '' ? '(anonymous)' : name);
    this.functions.push({ id, name: text, systemName: text, filename: this.#strings.dedup(file), startLine: line });
    this.locations.push({ id, line: [{ functionId: id, line }] });
    this.#ids.set(key, id);
    return id;
  }
}
