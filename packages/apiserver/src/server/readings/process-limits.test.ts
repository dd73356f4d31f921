import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryCeilingOf, readProcessLimits } from './process-limits.js';

const GIB = 1024 ** 3;
const limits = { constrained: undefined, machine: 64 * GIB, heap: 4 * GIB };
const gibOf = (...parameters: Parameters<typeof memoryCeilingOf>) =>
  Math.round((memoryCeilingOf(...parameters) / GIB) * 10) / 10;

describe('memoryCeilingOf', () => {
  it('is the requested limit, else most of the cgroup, else half of the machine; never above the heap limit', () => {
    const roomy = { ...limits, heap: 100 * GIB };
    assert.equal(gibOf(10 * GIB, roomy), 9.9);
    assert.equal(gibOf(undefined, { ...roomy, constrained: 2 * GIB }), 1.5);
    assert.equal(gibOf(undefined, roomy), 31.9);
    assert.equal(gibOf(10 * GIB, limits), 2.8);
    assert.equal(gibOf(undefined, limits), 2.8);
    assert.equal(memoryCeilingOf(1, limits), 0);
  });

  it('reads the limits of this process', () => {
    const { machine, heap, constrained } = readProcessLimits();
    assert.ok(heap > 0 && machine > 0);
    assert.ok(constrained === undefined || constrained <= machine);
  });
});
