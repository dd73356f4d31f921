import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { pieces, Trial } from './shell.testing.js';

describe('the commands of the simulated shell', () => {
  const texts: Record<string, string> = {
    ':': '0',
    date: 'Mon, 04 Jan 2027 00:00:00 GMT\n0',
    'false; exit': '1',
    'exit 258': '2',
    'export A=1 B C=; printenv A C; printenv B': '1\n\n1',
    'printenv GREETING': 'hello\n0',
    'printenv GREETING NONE': 'hello\n1',
    id: 'uid=0(root) gid=0(root) groups=0(root)\n0',
    whoami: 'root\n0',
    uname: 'Linux\n0',
    'uname -a': 'Linux web-0 6.12.0-simulated x86_64\n0',
    'sleep 1x': "!sleep: invalid time interval '1x'\n1",
    'tail /etc/hostname': '!tail: the simulated tail knows only `-c+NUMBER`\n1',
    tail: '!tail: the simulated tail knows only `-c+NUMBER`\n1',
    'tail -c+3 /etc/hostname': 'b-0\n0',
    'tail -c+0 /etc/hostname': 'web-0\n0',
    'tail -c+9 /etc/hostname': '0',
    'tail -c+3 none': '!tail: No such file or directory\n1',
    '[ a': '![: missing ]\n2',
  };
  for (const [text, expected] of Object.entries(texts)) {
    it(text, async () => assert.equal(await new Trial().run(['sh', '-c', text]), expected));
  }

  it('printenv without words shows all variables', async () => {
    assert.equal(await new Trial().run(['printenv']), 'GREETING=hello\n0');
  });

  it('tail skips bytes across pieces', async () => {
    assert.equal(await new Trial().run(['tail', '-c+4'], pieces('ab', 'cd', 'ef')), 'def0');
  });

  it('sleep adds its words, and units', async () => {
    const trial = new Trial();
    let isOver = false;
    const slept = trial.run(['sleep', '1m', '30']).then(() => (isOver = true));
    await settle();
    await trial.clock.advance(89_999);
    assert.equal(isOver, false);
    await trial.clock.advance(1);
    await slept;
  });
});

describe('test', () => {
  const unknown = '!test: the simulated shell does not support this expression\n2';
  const expressions: readonly (readonly [readonly string[], string])[] = [
    [[], '1'],
    [[''], '1'],
    [['a'], '0'],
    [['!'], '0'],
    [['-n', 'a'], '0'],
    [['-n', ''], '1'],
    [['-z', ''], '0'],
    [['-z', 'a'], '1'],
    [['-d', '/etc'], '0'],
    [['-d', '/etc/hostname'], '1'],
    [['-f', '/etc/hostname'], '0'],
    [['-f', '/etc'], '1'],
    [['-e', '/etc'], '0'],
    [['-e', '/none'], '1'],
    [['a', '=', 'a'], '0'],
    [['a', '=', 'b'], '1'],
    [['a', '!=', 'b'], '0'],
    [['a', '!=', 'a'], '1'],
    [['!', 'a', '=', 'b'], '0'],
    [['!', '!', 'a', '=', 'b'], '1'],
    [['!', '-e', '/etc'], '1'],
    [['1', '-lt', '2'], unknown],
    [['!', '1', '-lt', '2'], unknown],
    [['constructor', 'a'], unknown],
  ];
  for (const [words, expected] of expressions) {
    it(words.join(' '), async () => assert.equal(await new Trial().run(['test', ...words]), expected));
  }
});
