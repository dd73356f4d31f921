import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseYaml } from '@binnacle/apimachinery/yaml';
import { readImage } from './containerfile.mjs';
import { parseCommandLine } from '../../packages/binnacle/dist/cli/arguments/command-line.js';

const read = (name) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const options = /^BINNACLE_OPTIONS=(.*)$/m.exec(read('binnacle.env'))?.[1] ?? '';

/** The request of a command line whose variables have these values. */
const requestOf = (line) =>
  parseCommandLine(
    line.replace('${STATE_DIRECTORY}', '/var/lib/binnacle').replace('$BINNACLE_OPTIONS', options).split(' '),
  );

describe('deploy', () => {
  it('the unit checks the set-up, and then serves with the same options', () => {
    const unit = read('binnacle.service');
    const [before, main] = ['ExecStartPre', 'ExecStart'].map((key) => {
      const found = new RegExp(`^${key}=/usr/local/bin/binnacle (.*)$`, 'm').exec(unit)?.[1];
      assert.ok(found !== undefined, key);
      return requestOf(found);
    });
    assert.deepEqual([before.command, main.command], ['doctor', 'serve']);
    assert.deepEqual(before.options, main.options);
    assert.equal(main.options.dataDirectory, '/var/lib/binnacle');
    assert.equal(main.options.shutdownDelayMs, 10_000);
    for (const rule of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes']) {
      assert.ok(unit.includes(`\n${rule}\n`), rule);
    }
  });

  it('the scripts of the GitHub Action get inputs as variables, so that none is run as a part of a script', () => {
    const { inputs, runs } = parseYaml(read('github-action/action.yml')).value;
    const scripts = runs.steps.filter(({ run }) => run !== undefined);
    assert.equal(scripts.length, 3);
    for (const { run, shell } of scripts) {
      assert.equal(shell, 'bash');
      assert.ok(!run.includes('${{'), run);
    }
    const used = [...JSON.stringify(runs).matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    assert.deepEqual(new Set(used), new Set(Object.keys(inputs)));
  });

  it('the image serves without root, and writes to its volume alone', () => {
    const { environment, user, entryPoint, command, copies, volumes } = readImage(read('Containerfile'));
    const { command: name, options: given } = parseCommandLine(command);
    assert.deepEqual([name, given.dataDirectory, volumes], ['serve', '/data', ['/data']]);
    assert.match(user, /^[1-9][0-9]*:[1-9][0-9]*$/);
    const owned = copies.filter(({ owner }) => owner === user).map(({ target }) => target);
    assert.deepEqual(owned, [environment.BINNACLE_NATIVE_DIR, '/data']);
    assert.deepEqual(entryPoint, ['/usr/local/bin/binnacle']);
  });
});
