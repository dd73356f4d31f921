import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cpuTree, heapTree } from './sample-process.js';
import type { StackTree } from './stack-tree.js';

const frame = (functionName: string) => ({
  functionName,
  url: 'file:///a.js',
  lineNumber: 4,
  columnNumber: 1,
  scriptId: '1',
});

const shape = ({ frame: { name, line }, values = [], children }: StackTree): unknown => [
  `${name}:${line}`,
  values,
  ...children.map(shape),
];

it('adds up the samples of a function, without idle time', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 3] },
    { id: 2, callFrame: frame('work') },
    { id: 3, callFrame: frame('(idle)') },
  ];
  const profile = { nodes, startTime: 0, endTime: 9, samples: [2, 3, 2], timeDeltas: [10, 500, -1] };
  assert.deepEqual(shape(cpuTree(profile)), ['(root):5', [], ['work:5', [2, 10_000]], ['(idle):5', []]]);
  assert.deepEqual(shape(cpuTree({ nodes: [], startTime: 0, endTime: 0 })), ['(root):0', []]);
});

it('has the bytes of a function', () => {
  const child = { callFrame: frame('make'), selfSize: 30, children: [] };
  const head = { callFrame: frame('(root)'), selfSize: 0, children: [child] };
  assert.deepEqual(shape(heapTree(head)), ['(root):5', [], ['make:5', [30]]]);
});
