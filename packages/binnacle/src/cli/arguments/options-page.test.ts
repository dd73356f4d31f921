import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeCommands } from './command-line.js';
import type { CommandNode } from './command-tree.js';
import { renderOptionsPage } from './options-page.js';
import { serveOptions } from './serve-options.js';

/** The text below the heading of a command. */
function sectionOf(page: string, name: string): string {
  const [, section = ''] = page.split(`\n## binnacle ${name}\n`);
  return section.split('\n## ')[0] ?? '';
}

const optionsOf = (node: CommandNode): readonly string[] => [
  ...node.options.map(({ long }) => long),
  ...node.commands.flatMap(optionsOf),
];

describe('the page of the command line', () => {
  const page = renderOptionsPage(describeCommands());

  it('has each option of each command', () => {
    const served = new Set(serveOptions.map(({ name }) => `--${name}`));
    for (const command of describeCommands().commands) {
      if (command.name === 'serve') continue;
      const section = sectionOf(page, command.name);
      for (const option of optionsOf(command)) {
        // The doctor takes those of serve, and the page says so.
        if (command.name === 'doctor' && served.has(option)) continue;
        const named = section === '' ? page : section;
        assert.ok(named.includes(`${option} `) || named.includes(`${option}\``), `${command.name} ${option}`);
      }
    }
  });

  it('has a row for each option of serve, once', () => {
    const rows = sectionOf(page, 'serve').split('\n');
    for (const { name } of serveOptions) {
      const cells = rows.map((row) => row.split(' | ')[0] ?? '');
      const found = cells.filter((cell) => new RegExp(`[\` ]--${name}[\` ]`).test(cell));
      assert.equal(found.length, 1, name);
    }
  });

  it('says which commands of the history differ in a shared option', () => {
    const rows = sectionOf(page, 'log, show, diff, get, blame, export, revert, snapshot, fork, bisect').split('\n');
    const commandsWith = (usage: string) =>
      rows.filter((row) => row.startsWith(`| \`${usage}`)).map((row) => row.split(' | ')[1]);
    assert.deepEqual(commandsWith('-n, '), ['`snapshot`', '`fork`', '`bisect`', 'all others']);
    assert.deepEqual(commandsWith('--kubeconfig '), ['all']);
  });

  it('ends with the exit codes', () => {
    const codes = page.slice(page.indexOf('## Exit codes')).matchAll(/^\| ([0-9, ]+) \|/gm);
    assert.deepEqual(
      Array.from(codes, ([, code]) => code),
      ['0', '1', '2', '130, 143', '137'],
    );
  });
});
