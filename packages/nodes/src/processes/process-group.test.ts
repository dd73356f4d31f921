import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryProcess, MemorySystem } from '../testing/index.js';
import { exitCodeOf, sendSignal, startGroup } from './process-group.js';

const spec = { command: [process.execPath, 'a'], environment: { A: 'b' }, directory: '/tmp', hasInput: true };

const newProcess = (): MemoryProcess => new MemoryProcess(7, [], {});

describe('a process group', () => {
  it('has its variables alone, its directory, and its input', async () => {
    const system = new MemorySystem();
    const started = await startGroup(spec, await system.reaper());
    const [program] = system.programs;
    assert.deepEqual(started, { child: program });
    assert.deepEqual(program?.command, spec.command);
    const { cwd, env, detached } = program?.options ?? {};
    assert.deepEqual([cwd, env, detached], ['/tmp', { A: 'b' }, true]);
    assert.ok(program?.stdin);
    await startGroup({ ...spec, hasInput: false }, await system.reaper());
    assert.equal(system.programs[1]?.stdin, null);
  });

  it('that cannot start has a problem', async () => {
    const system = new MemorySystem();
    const reaper = await system.reaper();
    system.problem = new Error('spawn E2BIG');
    assert.deepEqual(await startGroup(spec, reaper), { problem: 'spawn E2BIG' });
    const problem = 'exec: "none": executable file not found in $PATH';
    assert.deepEqual(await startGroup({ ...spec, command: ['none'] }, reaper), { problem });
    assert.ok('problem' in (await startGroup({ ...spec, command: [] }, reaper)));
    const withZero = { ...spec, command: [process.execPath, 'a\0b'] };
    assert.deepEqual(await startGroup(withZero, reaper), { problem: 'must be a string without null bytes' });
  });

  const ends: readonly (readonly [code: number | null, signal: NodeJS.Signals | null, expected: number])[] = [
    [0, null, 0],
    [3, null, 3],
    [null, 'SIGKILL', 137],
    [null, 'SIGTERM', 143],
  ];
  for (const [code, signal, expected] of ends) {
    it(`ends with ${expected} after ${code ?? signal}`, async () => {
      const child = newProcess();
      const before = exitCodeOf(child);
      child.end(code, signal);
      assert.deepEqual([await before, await exitCodeOf(child)], [expected, expected]);
    });
  }

  it('gets signals as a whole, or its first process alone', () => {
    const sent: unknown[] = [];
    const system = { spawn: newProcess, kill: (...given: unknown[]) => void sent.push(given) };
    sendSignal(system, newProcess(), 'SIGTERM', 'process');
    sendSignal(system, newProcess(), 'SIGKILL', 'group');
    assert.deepEqual(sent, [
      [7, 'SIGTERM'],
      [-7, 'SIGKILL'],
    ]);
    sendSignal(new MemorySystem(), newProcess(), 'SIGKILL', 'group');
  });
});
