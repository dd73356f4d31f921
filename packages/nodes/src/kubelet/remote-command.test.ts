import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { ContainerStates } from './container-states.js';
import { runRemoteCommand } from './remote-command.js';
import { podOf } from './streams.testing.js';

function started(command: readonly string[], tty = false) {
  const stdin = new PassThrough();
  const gone = new AbortController();
  const clock = new VirtualClock();
  const pod = podOf('web');
  const outputs = { stdout: '', stderr: '' };
  const [container] = pod.spec?.containers ?? [];
  assert.ok(container);
  const streams = {
    stdin,
    stdout: async (bytes: Buffer) => void (outputs.stdout += String(bytes)),
    stderr: async (bytes: Buffer) => void (outputs.stderr += String(bytes)),
    finish: () => assert.fail('the caller finishes'),
    gone: gone.signal,
  };
  const given = { pod, container, command, tty };
  const ending = runRemoteCommand(given, streams, { states: new ContainerStates(), clock });
  return { stdin, gone, clock, outputs, ending };
}

async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await settle();
}

describe('runRemoteCommand', () => {
  it('passes the input and both outputs, and resolves to the code', async () => {
    const { stdin, outputs, ending } = started(['sh', '-c', 'cat; cat none; exit 7']);
    stdin.end('a\nb\n');
    assert.deepEqual(await ending, { code: 7 });
    assert.deepEqual(outputs, { stdout: 'a\nb\n', stderr: 'cat: none: No such file or directory\n' });
  });

  it('resolves to the problem of a missing program', async () => {
    assert.deepEqual(await started(['nginx', '-v']).ending, {
      problem: 'exec: "nginx": executable file not found in $PATH: the container is simulated',
    });
  });

  it('shows both outputs in one stream of a terminal, with its ends of lines', async () => {
    const { outputs, ending } = started(['sh', '-c', 'echo a; cat none'], true);
    assert.deepEqual(await ending, { code: 1 });
    assert.deepEqual(outputs, { stdout: 'a\r\ncat: none: No such file or directory\r\n', stderr: '' });
  });

  it('prompts and echoes at a terminal, and ends at ^D with the last code', async () => {
    const { stdin, outputs, ending } = started(['sh'], true);
    stdin.write('cat none\r\u0004');
    assert.deepEqual(await ending, { code: 1 });
    assert.equal(outputs.stdout.replaceAll('/ # ', ''), 'cat none\r\ncat: none: No such file or directory\r\n');
    assert.equal(outputs.stdout.split('/ # ').length, 3);
  });

  it('ends with code 130 at ^C', async () => {
    const { stdin, outputs, ending, clock } = started(['sleep', '60'], true);
    await idle();
    assert.equal(clock.waiting, 1);
    stdin.write('\u0003');
    assert.deepEqual(await ending, { code: 130 });
    assert.deepEqual([outputs.stdout, clock.waiting], ['^C\r\n', 0]);
  });

  it('takes ^C as input without a terminal', async () => {
    const { stdin, outputs, ending } = started(['cat']);
    stdin.end('\u0003');
    assert.deepEqual([await ending, outputs.stdout], [{ code: 0 }, '\u0003']);
  });

  it('runs on its clock, and rejects when the client goes', async () => {
    for (const tty of [false, true]) {
      const slept = started(['sleep', '60'], tty);
      await slept.clock.advance(60_000);
      assert.deepEqual(await slept.ending, { code: 0 });
      const left = started(['sleep', '60'], tty);
      const rejected = assert.rejects(left.ending, /the client has gone/);
      await idle();
      left.gone.abort(new Error('the client has gone'));
      await rejected;
      assert.equal(left.clock.waiting, 0);
    }
  });
});
