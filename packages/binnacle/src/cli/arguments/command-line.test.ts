import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { serveOptions } from './serve-options.js';
import { textOf } from './text-of.testing.js';

it('reports an error in one line', () => {
  assert.equal(
    textOf('serve', '--secur-port', '1'),
    "wrong: binnacle: unknown option '--secur-port' (Did you mean --secure-port?); see binnacle serve --help\n",
  );
  for (const port of ['x', '-1', '65536', '1.5', '']) {
    assert.match(
      textOf('serve', `--secure-port=${port}`),
      /^wrong: binnacle: --secure-port "[^\n]+ is not a port[^\n]+\n$/,
    );
  }
  for (const duration of ['5', '-1s', '1d', '', 'soon']) {
    assert.match(
      textOf('serve', `--history-retention=${duration}`),
      /^wrong: binnacle: --history-retention "[^\n]+ is not a duration[^\n]+\n$/,
    );
  }
  assert.match(textOf('serve', '--min-request-timeout=1m'), /is not a number of seconds/);
  assert.match(textOf('serve', '--max-memory=2GB'), /is not a size/);
  assert.match(textOf('serve', '--in-memory', 'maybe'), /neither true nor false/);
  assert.match(textOf('serve', '--data-dir'), /argument missing/);
  assert.match(textOf('serve', 'more'), /too many arguments/);
  assert.match(textOf('serf'), /^wrong: binnacle: unknown command 'serf'/);
  assert.match(textOf('serf', '--help'), /^wrong: binnacle: unknown command 'serf' \(Did you mean serve\?\)/);
  assert.match(
    textOf('cluster', 'frob', '-h'),
    /^wrong: binnacle: unknown command 'frob'; see binnacle cluster --help/,
  );
  assert.match(textOf(), /^wrong: Usage: binnacle/);
});

it('help lists all options', () => {
  for (const args of [['--help'], ['help'], ['help', 'serve'], ['serve', '--help']]) {
    assert.match(textOf(...args), /^help: Usage: binnacle/);
  }
  for (const { name } of serveOptions) assert.ok(textOf('serve', '-h').includes(`--${name}`), name);
  assert.equal(textOf('version'), 'version');
  assert.deepEqual(parseCommandLine(['version', '-o', 'json']), { command: 'version', output: 'json' });
  assert.match(textOf('version', '-o', 'yaml'), /^wrong: .*'yaml' is invalid/);
});
