import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemorySystem } from '../testing/index.js';
import { startGroup } from './process-group.js';
import { Reaper } from './reaper.js';

const spec = { command: [process.execPath], environment: {}, directory: '/', hasInput: false };

describe('a reaper', () => {
  it('ends what runs and removes the folder when it closes', async () => {
    const system = new MemorySystem();
    const reaper = await system.reaper('/pods');
    await startGroup(spec, reaper);
    assert.equal(reaper.works, true);
    await reaper.close();
    assert.deepEqual([system.programs[0]?.signalCode, system.removed, reaper.works], ['SIGKILL', ['/pods'], false]);
  });

  it('leaves groups alone that have ended', async () => {
    const system = new MemorySystem();
    const reaper = await system.reaper();
    for (const _ of [0, 1]) await startGroup(spec, reaper);
    const [first, second] = system.programs;
    reaper.remove(first?.pid ?? 0);
    await reaper.close();
    assert.deepEqual([first?.hasEnded, second?.signalCode], [false, 'SIGKILL']);
    reaper.remove(second?.pid ?? 0);
  });

  it('that cannot start rejects', async () => {
    const system = new MemorySystem();
    system.problem = new Error('spawn EAGAIN');
    await assert.rejects(system.reaper(), { message: 'spawn EAGAIN' });
  });

  it('is told of a process group before the program of it runs', () => {
    const [shell, args] = Reaper.wrapped(['/bin/a', 'b c']);
    assert.deepEqual([shell, args[0], args.slice(2)], ['/bin/sh', '-c', ['/bin/a', 'b c']]);
    assert.match(args[1] ?? '', /^echo "add \$\$" >&3 .* exec "\$0" "\$@"$/);
  });
});
