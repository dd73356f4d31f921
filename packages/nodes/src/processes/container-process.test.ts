import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { MemorySystem } from '../testing/index.js';
import { ContainerProcess } from './container-process.js';

const spec = { command: [process.execPath], environment: {}, directory: '/', hasInput: true };

async function start(given: Partial<typeof spec> = {}) {
  const system = new MemorySystem();
  const clock = new VirtualClock(5000);
  const reaper = await system.reaper();
  const container = await ContainerProcess.start({ ...spec, ...given }, reaper, clock);
  const program = system.programs[0];
  assert.ok(program);
  return { clock, reaper, container, program };
}

describe('the process of a container', () => {
  it('has both outputs, its input and its code', async () => {
    const { clock, reaper, container, program } = await start();
    assert.deepEqual([container.pid, container.end, container.isEnding], [program.pid, undefined, false]);
    container.input?.write('typed');
    await settle();
    assert.equal(String(program.input.read()), 'typed');
    program.input.emit('error', new Error('EPIPE'));
    program.stdout.write('out\n');
    program.stderr.write('err\n');
    await clock.advance(1000);
    program.end(3);
    assert.deepEqual(await container.ended, { exitCode: 3, at: 6000 });
    assert.deepEqual(container.end, { exitCode: 3, at: 6000 });
    assert.deepEqual([container.output.tail(100), container.output.isComplete], ['out\nerr\n', true]);
    await reaper.close();
  });

  it('that cannot start has ended with a problem', async () => {
    const clock = new VirtualClock(5000);
    const reaper = await new MemorySystem().reaper();
    const container = await ContainerProcess.start({ ...spec, command: ['none'] }, reaper, clock);
    const problem = 'exec: "none": executable file not found in $PATH';
    assert.deepEqual(await container.ended, { exitCode: 128, at: 5000, problem });
    container.stop(0);
    assert.deepEqual(
      [container.isEnding, container.output.isComplete, container.pid, container.input],
      [false, true, undefined, undefined],
    );
  });

  it('ends when it is asked', async () => {
    const { clock, container } = await start({ hasInput: false });
    container.stop(30_000);
    assert.equal(container.isEnding, true);
    assert.equal((await container.ended).exitCode, 143);
    await clock.advance(1000);
    assert.equal(clock.waiting, 0);
    container.stop(0);
    assert.equal(container.end?.exitCode, 143);
  });

  it('is killed at the earliest of the times that it was given', async () => {
    const { clock, container, program } = await start();
    program.ignoresSignals = true;
    container.stop(30_000);
    await clock.advance(10_000);
    container.stop(5000);
    container.stop(10_000);
    await clock.advance(4999);
    assert.equal(program.hasEnded, false);
    await clock.advance(1);
    assert.deepEqual(await container.ended, { exitCode: 137, at: 20_000 });
  });

  it('waits a second for outputs that stay open', async () => {
    const { clock, container, program } = await start();
    program.keepsOutputs = true;
    program.end(0);
    await clock.advance(999);
    assert.equal(container.end, undefined);
    await clock.advance(1);
    assert.deepEqual(await container.ended, { exitCode: 0, at: 5000 });
  });
});
