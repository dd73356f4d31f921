import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Profile } from 'pprof-format';
import type { StackTree } from './stack-tree.js';
import { toPprof } from './to-pprof.js';

const tree = (name: string, values: readonly number[] | undefined, ...children: readonly StackTree[]): StackTree => ({
  frame: { name, file: `${name}.js`, line: 3 },
  values,
  children,
});

async function decoded(root: StackTree) {
  const dimensions = [
    { type: 'samples', unit: 'count' },
    { type: 'cpu', unit: 'nanoseconds' },
  ];
  const bytes = await toPprof({ root, dimensions, period: 7 }, { begun: 1000, duration: 2 });
  const profile = Profile.decode(bytes);
  const text = (index: number | bigint) => profile.stringTable.strings[Number(index)] ?? '';
  const nameOf = (location: number | bigint) => {
    const { line } = profile.location.find(({ id }) => id === location) ?? { line: [] };
    const found = profile.function.find(({ id }) => id === line[0]?.functionId);
    return text(found?.name ?? 0);
  };
  const stacks = profile.sample.map(
    ({ locationId, value }) => `${locationId.map(nameOf).join(' < ')} ${value.join(' ')}`,
  );
  return { profile, text, stacks };
}

it('has a sample for each function that was sampled, from it to its outermost caller', async () => {
  const b = tree('b', [2, 20], tree('', [1, 10]));
  const { profile, text, stacks } = await decoded(tree('(root)', undefined, tree('a', undefined, b), b));
  assert.deepEqual(stacks.sort(), ['(anonymous) < b 1 10', '(anonymous) < b < a 1 10', 'b 2 20', 'b < a 2 20']);
  assert.equal(profile.function.length, 3);
  assert.deepEqual(
    profile.sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`),
    ['samples/count', 'cpu/nanoseconds'],
  );
  assert.equal(text(profile.periodType?.type ?? 0), 'cpu');
  assert.deepEqual(
    [profile.period, profile.timeNanos, profile.durationNanos].map(Number),
    [7, 1_000_000_000, 2_000_000],
  );
});

it('keeps the innermost frames of a deep stack', async () => {
  let deep = tree('leaf', [1, 1]);
  for (let depth = 0; depth < 20_000; depth += 1) deep = tree('middle', undefined, deep);
  const { stacks } = await decoded(tree('(root)', undefined, deep));
  assert.deepEqual(stacks, [`leaf${' < middle'.repeat(63)} 1 1`]);
});
