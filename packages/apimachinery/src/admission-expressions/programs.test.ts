import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget, type Environment, INT, KUBERNETES_LIBRARY } from '../cel/index.js';
import { counted } from '../testing/index.js';
import { finish } from '../work/index.js';
import { compileWithin, isCompiled } from './compile.js';
import { PolicyVariables } from './index.js';
import { Programs, type ProgramSource, programs } from './programs.js';

const environment: Environment = { variables: new Map([['x', INT]]), ...KUBERNETES_LIBRARY };
const sources = ['x + 1', 'x + 2', 'x + 3'].map((source): ProgramSource => ({ source, environment }));

test('programs are kept up to a total length of their sources, and compiled again', () => {
  const kept = new Programs(60);
  for (const each of sources) finish(kept.make(each));
  assert.deepEqual(
    sources.map((each) => kept.kept(each) !== undefined),
    [false, true, true],
  );
  for (const [index, each] of sources.entries()) {
    const program = kept.kept(each) ?? finish(kept.make(each));
    assert.equal(
      program(() => 1n, new Budget(1000)),
      BigInt(index + 2),
    );
  }
});

test('a long expression compiles in several steps', () => {
  const steps = new Programs(1000).make({ source: Array(1000).fill('x > 1').join(' || '), environment });
  let count = 0;
  while (steps.next().done !== true) count++;
  assert.ok(count >= 3, `${count} pauses`);
});

test('evaluations at once make a program together', () => {
  const kept = new Programs(100_000);
  const source = { source: Array(1000).fill('x > 1').join(' || '), environment };
  const together = [kept.make(source), kept.make(source), kept.make(source)];
  const alone = counted(new Programs(100_000).make(source)).yields;
  const made: unknown[] = [];
  let yields = 0;
  for (let waiting = together; waiting.length > 0; yields += waiting.length) {
    waiting = waiting.filter((each) => {
      const step = each.next();
      if (step.done === true) made.push(step.value);
      return step.done !== true;
    });
  }
  assert.deepEqual(made, Array(3).fill(kept.kept(source)));
  assert.ok(yields <= alone + together.length, `${yields} pauses of three, ${alone} of one`);
});

test('a compiled expression has a program, which the types of later variables do not change', () => {
  const compiled = compileWithin(environment, 'x + 4');
  assert.ok(isCompiled(compiled) && programs.kept(compiled) !== undefined);
  const variables = finish(
    PolicyVariables.compile({}, [
      { name: 'a', expression: '1' },
      { name: 'b', expression: 'variables.a + 1' },
      { name: 'a', expression: '"text"' },
    ]),
  );
  const b = variables.get('b');
  assert.ok(b !== undefined && isCompiled(b));
  const again = finish(new Programs(1000).make(b));
  assert.equal(typeof again, 'function');
  assert.equal(variables.types.get('a')?.kind, 'string');
});
