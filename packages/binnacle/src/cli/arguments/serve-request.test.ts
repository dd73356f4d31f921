import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { serveOptions } from './serve-options.js';
import { textOf } from './text-of.testing.js';
import { idleFlags, missingFlags } from './upstream-flags.js';

it('serve accepts every option of the table, after a space or =', () => {
  const values = {
    text: 'value',
    texts: 'one',
    port: '7443',
    seconds: '60',
    duration: '1m30s',
    bytes: '2Gi',
    rate: '12.5',
    decimal: '0.05',
    share: '0.5',
    count: '40',
    switch: 'true',
  };
  const separate = serveOptions.flatMap(({ name, type }) =>
    type === 'switch' ? [`--${name}`] : [`--${name}`, values[type]],
  );
  const joined = serveOptions.map(({ name, type }) => `--${name}=${values[type]}`);
  const expected = Object.fromEntries(
    serveOptions.map(({ key, type }) => [
      key,
      {
        text: 'value',
        texts: ['one'],
        port: 7443,
        seconds: 60,
        duration: 90_000,
        bytes: 2 ** 31,
        rate: 12.5,
        decimal: 0.05,
        share: 0.5,
        count: 40,
        switch: true,
      }[type],
    ]),
  );
  assert.deepEqual(parseCommandLine(['serve', ...separate]), { command: 'serve', options: expected });
  assert.deepEqual(parseCommandLine(['serve', ...joined]), { command: 'serve', options: expected });
});

it('collects the values of a repeated option', () => {
  const args = ['--service-account-issuer=a', '--service-account-issuer', 'b'];
  assert.deepEqual(parseCommandLine(['serve', ...args]), {
    command: 'serve',
    options: { securePort: 6443, serviceAccountIssuers: ['a', 'b'] },
  });
});

it('serves on the usual port by default, and accepts empty lists and false', () => {
  assert.deepEqual(parseCommandLine(['serve']), { command: 'serve', options: { securePort: 6443 } });
  assert.deepEqual(parseCommandLine(['serve', '--controllers=', '--in-memory=false', '--secure-port=0']), {
    command: 'serve',
    options: { securePort: 0, controllers: '', inMemory: false },
  });
});

it('serve accepts flags of kube-apiserver that mean nothing here, with a warning', () => {
  const request = parseCommandLine(['serve', '--in-memory', '--contention-profiling=false', '--apiserver-count', '3']);
  assert.deepEqual(request, {
    command: 'serve',
    options: { securePort: 6443, inMemory: true },
    warnings: [
      '--contention-profiling has no effect: one thread has no contention',
      '--apiserver-count has no effect: servers find each other by their leases',
    ],
  });
  for (const { name, isSwitch } of idleFlags) {
    const given = parseCommandLine(['serve', `--${name}${isSwitch === true ? '' : '=1'}`]);
    assert.ok(given.command === 'serve' && given.warnings?.length === 1, name);
  }
});

it('serve refuses flags of kube-apiserver whose effect is missing, with a reason', () => {
  for (const { name, isSwitch, why } of missingFlags) {
    const given = isSwitch === true ? `--${name}` : `--${name}=1`;
    assert.equal(
      textOf('serve', given),
      `wrong: binnacle: --${name} is not supported: ${why}; see binnacle serve --help\n`,
    );
  }
  assert.ok(!textOf('serve', '--help').includes('--vmodule'));
});

it('serve --console also serves the console', () => {
  const served = { command: 'serve', options: { securePort: 6443 } };
  assert.deepEqual(parseCommandLine(['serve', '--console']), { ...served, console: true });
  assert.deepEqual(parseCommandLine(['serve', '--console=true']), { ...served, console: true });
  assert.deepEqual(parseCommandLine(['serve', '--console=false']), served);
  assert.match(textOf('serve', '--console=x'), /--console "x" is neither true nor false/);
});
