import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pieces, Trial } from './shell.testing.js';

const unknownTar = '!tar: the simulated tar knows only `cf - PATH` and `xf -`\n1';

describe('the file commands of the simulated shell', () => {
  const texts: Record<string, string> = {
    'cd; pwd': '/\n0',
    'cd /etc/../etc/.; pwd': '/etc\n0',
    'cd /etc/hostname': "!cd: can't cd to /etc/hostname: Not a directory\n1",
    'ls none /etc/hostname': '!ls: none: No such file or directory\n/etc/hostname\n1',
    'mkdir d e; touch d/a d/.b; ls d e': 'd:\na\ne:\n0',
    'mkdir d; touch d/a d/.b; ls -a d': '.b\na\n0',
    'mkdir -p d/e; echo abc > d/f; ls -l d': 'drwxr-xr-x 1 root root     4096 e\n-rw-r--r-- 1 root root        4 f\n0',
    'mkdir /etc/hostname': '!mkdir: /etc/hostname: File exists\n1',
    'rm none': '!rm: none: No such file or directory\n1',
    'rm -f none': '0',
    'mkdir d; rm d': '!rm: d: Is a directory\n1',
    'mkdir d; touch d/a; rm -R d; ls': '0',
    'rm none /etc/hostname; ls /etc/hostname':
      '!rm: none: No such file or directory\n!ls: /etc/hostname: No such file or directory\n1',
    'echo a > f; touch f; cat f': 'a\n0',
    'touch none/f': '!touch: none/f: No such file or directory\n1',
    'echo a > /etc': '!sh: Is a directory\n1',
    'tar cf file d': unknownTar,
    'tar c - d': unknownTar,
    'tar tf -': unknownTar,
    tar: unknownTar,
  };
  for (const [text, expected] of Object.entries(texts)) {
    it(text, async () => assert.equal(await new Trial().run(['sh', '-c', text]), expected));
  }

  it('cat copies its input', async () => {
    assert.equal(await new Trial().run(['cat'], pieces('a', 'b')), 'ab0');
  });

  it('tar packs paths of another directory, and refuses a name that the format cannot hold', async () => {
    const trial = new Trial();
    await trial.run(['touch', `/tmp/${'n'.repeat(101)}`]);
    trial.bytes = [];
    assert.match(await trial.run(['tar', 'cf', '-', '-C', '/etc', 'hostname']), /^hostname\0/);
    const [header, body] = trial.bytes;
    assert.deepEqual([header?.length, body?.length, body?.toString('utf8', 0, 6)], [512, 512, 'web-0\n']);
    assert.match(await trial.run(['tar', 'cf', '-', '-C', '/tmp', 'n'.repeat(101)]), /!tar: File name too long\n1$/);
  });

  it('end with their client', async () => {
    for (const command of [
      ['ls', '/'],
      ['tar', 'cf', '-', '/etc'],
    ]) {
      const trial = new Trial();
      trial.stop.abort(new Error('gone'));
      await assert.rejects(trial.run(command), /gone/);
    }
  });

  it('pass on failures of the client', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(0);
      throw new Error('broken');
    }
    await assert.rejects(new Trial().run(['tar', 'xf', '-'], broken()), /broken/);
  });
});
