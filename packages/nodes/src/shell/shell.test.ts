import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { FileTree, Terminal } from './index.js';
import { pieces, Trial } from './shell.testing.js';

describe('the bounds of the simulated shell', () => {
  const tooLong = '!sh: Argument list too long\n1';
  const long = 'x'.repeat(100_000);
  const names = Array.from({ length: 30 }, (_, index) => `V${index}`);
  for (const [what, command, expected] of [
    [
      'doubled variables',
      ['sh', '-c', `A=${'x'.repeat(1000)}; ${'A=$A$A; '.repeat(30)} echo done`],
      /too long\n(.|\n)*done\n0$/,
    ],
    ['the values of many variables', ['sh', '-c', names.map((name) => `${name}=${name}$A`).join('; ')], /too long\n1$/],
    ['the words of a command', ['sh', '-c', `echo ${'$A '.repeat(30)}`], tooLong],
    ['a text of commands', ['sh', '-c', ': '.repeat(100_000)], 'exec: "sh": argument list too long'],
    ['a path', ['mkdir', 'a/'.repeat(3000)], /File name too long\n1$/],
    ['shells within shells', ['sh', '-c', 'sh -c "$0" "$0"', 'sh -c "$0" "$0"'], /^!sh: can't fork: .*\n2$/],
  ] as const) {
    it(`end ${what}`, async () => {
      const trial = new Trial(new Map([['A', long]]));
      const shown = await trial.run(command);
      if (typeof expected === 'string') assert.equal(shown, expected);
      else assert.match(shown, expected);
    });
  }

  it('end a shell whose input line never ends', async () => {
    const endless = Array.from({ length: 10 }, () => 'x'.repeat(60_000));
    assert.equal(await new Trial().run(['sh'], pieces(...endless)), '2');
  });

  it('let other work run between two commands, two words, and many writes', async () => {
    const trial = new Trial(new Map(Array.from({ length: 2000 }, (_, index) => [`V${index}`, 'x'])));
    for (const [command, least] of [
      [['sh', '-c', ':;'.repeat(1000)], 1000],
      [['sh', '-c', `: ${'|:'.repeat(1000)}`], 1000],
      [['ls', ...Array.from({ length: 1000 }, () => '/')], 1000],
      [['sh', '-c', 'env > /tmp/env'], 4],
    ] as const) {
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await trial.run(command);
      isOver = true;
      assert.ok(turns >= least, `${turns} turns`);
    }
  });
});

describe('the simulated shell', () => {
  const programs: Record<string, [readonly string[], string]> = {
    echo: [['echo', 'a', 'b'], 'a b\n0'],
    'echo without a newline': [['echo', '-n', 'a'], 'a0'],
    'a path': [['/bin/echo', 'a'], 'a\n0'],
    hostname: [['hostname'], 'web-0\n0'],
    env: [['env'], 'GREETING=hello\n0'],
    'env without positional parameters': [['sh', '-c', 'env; echo $0', 'name', 'a'], 'GREETING=hello\nname\n0'],
    'printenv of a missing variable': [['printenv', 'NONE'], '1'],
    pwd: [['pwd'], '/srv\n0'],
    'ls of the root': [['ls', '/'], 'bin\netc\nroot\nsrv\ntmp\nusr\nvar\n0'],
    'ls of a file': [['ls', '-l', '/etc/hostname'], '-rw-r--r-- 1 root root        6 /etc/hostname\n0'],
    'cat of a file': [['cat', '/etc/hostname'], 'web-0\n0'],
    'cat of a missing file': [['cat', 'none'], '!cat: none: No such file or directory\n1'],
    'cat of a directory': [['cat', '/etc'], '!cat: /etc: Is a directory\n1'],
    'a missing program': [
      ['nginx', '-t'],
      'exec: "nginx": executable file not found in $PATH: the container is simulated',
    ],
    'a name of every object': [
      ['constructor'],
      'exec: "constructor": executable file not found in $PATH: the container is simulated',
    ],
    'no program': [['cd', '/'], 'exec: "cd": executable file not found in $PATH: the container is simulated'],
    'the code of exit': [['sh', '-c', 'exit 3'], '3'],
    'the code of the last command': [['sh', '-c', 'true; false'], '1'],
    variables: [
      ['sh', '-c', 'X=1; echo $X ${GREETING} "$GREETING" \'$GREETING\' $NONE.'],
      '1 hello hello $GREETING .\n0',
    ],
    'arguments of a text': [['sh', '-c', 'echo $0 $1', 'me', 'you'], 'me you\n0'],
    '&& and ||': [['sh', '-c', 'false && echo a || echo b; echo $?'], 'b\n0\n0'],
    'a pipe': [['sh', '-c', 'echo a | cat'], 'a\n0'],
    'a file': [['sh', '-c', 'echo a > f && echo b >> f && cat f && ls'], 'a\nb\nf\n0'],
    'redirects of streams': [['sh', '-c', 'cat none 2>/dev/null; echo a >&2'], '!a\n0'],
    'both streams to one file': [['sh', '-c', 'cat none > f 2>&1; cat f'], 'cat: none: No such file or directory\n0'],
    'a directory': [
      ['sh', '-c', 'mkdir -p a/b; cd a; pwd; rm -r b; ls; cd c'],
      "/srv/a\n!cd: can't cd to c: No such file or directory\n1",
    ],
    tests: [
      ['sh', '-c', 'test -d /etc && [ -f /etc/hostname ] && [ a = a ] && ! test'],
      '!sh: the simulated shell does not support "!"\n2',
    ],
    'tests of files': [
      ['sh', '-c', 'test -d /etc && [ -f /etc/hostname ] && [ a != b ] && [ ! -e /x ] && echo yes'],
      'yes\n0',
    ],
    'an unknown command': [['sh', '-c', 'nginx; echo $?'], '!sh: nginx: not found\n127\n0'],
    'a loop': [['sh', '-c', 'while true; do echo a; done'], '!sh: the simulated shell does not support "while"\n2'],
    'a substitution': [['sh', '-c', 'echo $(date)'], '!sh: the simulated shell does not support "$("\n2'],
    'a background job': [['sh', '-c', 'sleep 1 &'], '!sh: the simulated shell does not support "&"\n2'],
    'an open quote': [['sh', '-c', 'echo "a'], '!sh: syntax error: unterminated quoted string\n2'],
    'a missing command': [['sh', '-c', 'a &&'], '!sh: syntax error: unexpected "end of file"\n2'],
    'an unknown flag': [['sh', '-x'], '!sh: the simulated shell does not support -x\n1'],
    'exported variables': [['sh', '-c', 'export A=b C; echo $A; printenv A'], 'b\nb\n0'],
    'nothing, with success': [['sh', '-c', ': a b'], '0'],
    'other flags of tail': [['tail', '-n', '1'], '!tail: the simulated tail knows only `-c+NUMBER`\n1'],
    'tests of texts': [['sh', '-c', 'test -n a && test -z "" && test a && test ! "" && echo yes'], 'yes\n0'],
    'tests that fail': [['sh', '-c', 'test a = b || test -d /etc/hostname || test ! ! "" || test'], '1'],
    'ls of several words': [['ls', '/etc', '/tmp'], '/etc:\nhostname\nhosts\nos-release\n/tmp:\n0'],
    'ls of a directory, with all of its entries': [['ls', '-l', '/usr'], 'drwxr-xr-x 1 root root     4096 bin\n0'],
    'hidden files': [['sh', '-c', 'touch .h v; ls; ls -a'], 'v\n.h\nv\n0'],
    'ls of a missing file': [['ls', 'none'], '!ls: none: No such file or directory\n1'],
    'rm of a directory': [['rm', '/etc'], '!rm: /etc: Is a directory\n1'],
    'a directory in a file': [['mkdir', '/etc/hosts/a'], '!mkdir: /etc/hosts/a: File exists\n1'],
    'a file in no directory': [['touch', 'a/b'], '!touch: a/b: No such file or directory\n1'],
    'a bad time': [['sleep', 'long'], "!sleep: invalid time interval 'long'\n1"],
  };
  for (const [title, [command, expected]] of Object.entries(programs)) {
    it(title, async () => assert.equal(await new Trial().run(command), expected));
  }

  it('sleeps on its clock, and ends with its client', async () => {
    const trial = new Trial();
    const slept = trial.run(['sh', '-c', 'sleep 1m; echo a']);
    await settle();
    await trial.clock.advance(60_000);
    assert.equal(await slept, 'a\n0');
    const stopped = trial.run(['sleep', '60']);
    trial.stop.abort(new Error('gone'));
    await assert.rejects(stopped, /gone/);
  });

  it('reads lines, and keeps its directory and variables between them', async () => {
    const trial = new Trial();
    assert.equal(await trial.run(['sh'], pieces('cd /e', 'tc\nX=1\n', 'echo $X; pwd')), '1\n/etc\n0');
    assert.equal(await trial.run(['sh'], pieces('exit 4\n', 'echo a\n')), '4');
    assert.equal(await trial.run(['sh', '-i'], pieces('pwd\n'), true), '/srv # /srv\n/srv # 0');
  });

  it('packs and unpacks files as kubectl cp asks for it', async () => {
    const trial = new Trial();
    await trial.run(['sh', '-c', `mkdir -p d/e; echo one > d/a; echo two > d/e/${'n'.repeat(120)}`]);
    assert.equal(await trial.run(['ls', 'd/e']), `${'n'.repeat(120)}\n0`);
    await trial.run(['rm', '-r', `d/e/${'n'.repeat(120)}`]);
    await trial.run(['sh', '-c', 'echo two > d/e/b']);
    trial.bytes = [];
    await trial.run(['tar', 'cf', '-', 'd']);
    const archive = Buffer.concat(trial.bytes);
    const cut = [archive.subarray(0, 700), archive.subarray(700)];
    assert.equal(await trial.run(['tar', '--no-same-owner', '-xmf', '-', '-C', '/tmp'], pieces(...cut)), '0');
    assert.equal(await trial.run(['cat', '/tmp/d/a', '/tmp/d/e/b']), 'one\ntwo\n0');
    assert.equal(await trial.run(['tar', 'cf', '-', 'none']), '!tar: none: Cannot stat: No such file or directory\n1');
    assert.equal(await trial.run(['tar', 'xf', '-'], pieces('x'.repeat(600))), '!tar: invalid tar header\n1');
    assert.equal(await trial.run(['sh', '-c', 'echo abc | tail -c+2']), 'bc\n0');
  });

  it('packs names of up to 255 bytes', async () => {
    const trial = new Trial();
    const directory = `${'d'.repeat(90)}/${'e'.repeat(60)}`;
    await trial.run(['sh', '-c', `mkdir -p ${directory}; echo one > ${directory}/${'n'.repeat(80)}`]);
    trial.bytes = [];
    assert.match(await trial.run(['tar', 'cf', '-', 'd'.repeat(90)]), /0$/);
    assert.equal(await trial.run(['tar', 'xf', '-', '-C', '/tmp'], pieces(Buffer.concat(trial.bytes))), '0');
    assert.equal(await trial.run(['cat', `/tmp/${directory}/${'n'.repeat(80)}`]), 'one\n0');
    await trial.run(['touch', 'x'.repeat(101)]);
    assert.equal(await trial.run(['tar', 'cf', '-', 'x'.repeat(101)]), '!tar: File name too long\n1');
  });

  it('refuses an archive that ends early, or has a file that is too large', async () => {
    const trial = new Trial();
    await trial.run(['tar', 'cf', '-', '/etc/hosts']);
    const archive = Buffer.concat(trial.bytes);
    assert.equal(await trial.run(['tar', 'xf', '-'], pieces(archive.subarray(0, 520))), '!tar: short read\n1');
    archive.write('00077777777', 124, 'latin1');
    assert.equal(await trial.run(['tar', 'xf', '-'], pieces(archive)), '!tar: No space left on device\n1');
  });

  it('leads no path of an archive out of its directory', async () => {
    const trial = new Trial();
    await trial.run(['touch', '/etc/abcdefgh']);
    trial.bytes = [];
    await trial.run(['tar', 'cf', '-', '/etc/abcdefgh']);
    const archive = Buffer.concat(trial.bytes);
    archive.write('../../../escape', 0, 'latin1');
    archive.fill(0, 15, 100);
    assert.equal(await trial.run(['tar', 'xf', '-', '-C', '/tmp'], pieces(archive)), '0');
    assert.equal(await trial.run(['ls', '/tmp']), 'escape\n0');
  });
});

describe('a file tree', () => {
  it('copies a long file rarely when it grows', () => {
    const files = new FileTree();
    files.write('/a', Buffer.from('a'));
    files.append('/a', Buffer.from('bc'));
    const early = files.read('/a');
    files.append('/a', Buffer.from('def'));
    assert.deepEqual([early, files.read('/a')].map(String), ['abc', 'abcdef']);
    assert.equal(files.read('/a').buffer, early.buffer);
    files.write('/b', early);
    files.append('/b', Buffer.from('x'));
    assert.equal(files.read('/a').toString(), 'abcdef');
    assert.throws(() => files.append('/a', Buffer.alloc(4 << 20)), /No space left on device/);
  });

  it('is bounded in bytes and in entries', () => {
    const files = new FileTree();
    files.write('/a', Buffer.alloc(4 << 20));
    assert.throws(() => files.write('/b', Buffer.alloc(1)), /No space left on device/);
    files.remove('/a');
    files.write('/b', Buffer.alloc(1));
    assert.throws(() => {
      for (let index = 0; index < 5000; index++) files.write(`/${index}`, Buffer.alloc(0));
    }, /No space left on device/);
  });
});

describe('a terminal', () => {
  const cases: Record<string, [string, ReturnType<Terminal['type']>]> = {
    'collects a line': ['ls\r', { echo: 'ls\r\n', lines: 'ls\n', ends: undefined }],
    'keeps an open line': ['ls', { echo: 'ls', lines: '', ends: undefined }],
    erases: ['lx\u007fs\r', { echo: 'lx\b \bs\r\n', lines: 'ls\n', ends: undefined }],
    'erases nothing before the line': ['\u007fa\r', { echo: 'a\r\n', lines: 'a\n', ends: undefined }],
    'ignores arrows': ['a\u001b[A\u001bOPb\r', { echo: 'ab\r\n', lines: 'ab\n', ends: undefined }],
    'ends at ^D': ['\u0004', { echo: '', lines: '', ends: 'end' }],
    'ignores ^D in a line': ['a\u0004\r', { echo: 'a\r\n', lines: 'a\n', ends: undefined }],
    'interrupts at ^C': ['a\u0003', { echo: 'a^C\r\n', lines: '', ends: 'interrupt' }],
  };
  for (const [title, [keys, expected]] of Object.entries(cases)) {
    it(title, () => assert.deepEqual(new Terminal().type(keys), expected));
  }

  it('forgets the line at ^C', () => {
    const terminal = new Terminal();
    terminal.type('abc\u0003');
    assert.equal(terminal.type('d\r').lines, 'd\n');
  });
});
