import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeCommands } from '../arguments/command-line.js';
import { type CommandNode, everyCommand, type OptionNode } from '../arguments/command-tree.js';
import { completionScript } from './completion.js';

const option = (long: string, other: Partial<OptionNode> = {}): OptionNode => ({
  long,
  short: undefined,
  value: undefined,
  description: '',
  ...other,
});
const command = (name: string, other: Partial<CommandNode> = {}): CommandNode => ({
  name,
  description: '',
  parameters: [],
  choices: [],
  options: [],
  commands: [],
  ...other,
});
const dig = command('dig', {
  description: "open: don't ask; twice",
  options: [
    option('--depth', { short: '-d', value: 'METRES', description: 'how deep (default: 1)' }),
    option('--fast', { value: '[BOOLEAN]', description: 'in a hurry; carefully' }),
  ],
});
const tree = command('binnacle', { commands: [dig, command('speak', { choices: ['low', 'loud'] })] });

describe('the completions', () => {
  it('of bash: the words by the place', () => {
    const script = completionScript('bash', tree);
    const cases = script.split('\n').filter((line) => line.includes(') words='));
    assert.deepEqual(cases, [
      "    '') words='dig speak --help' ;;",
      "    'dig'|'dig'' '*) words='-d --depth --fast --help' ;;",
      "    'speak'|'speak'' '*) words='low loud --help' ;;",
    ]);
  });

  it('of zsh: names and flags with what they mean', () => {
    const script = completionScript('zsh', tree);
    assert.ok(script.includes("names=('dig:open: don'\\''t ask; twice' 'speak:')"), script);
    assert.ok(
      script.includes("flags=('-d:how deep' '--depth:how deep' '--fast:in a hurry' '--help:show help')"),
      script,
    );
    assert.ok(script.includes("names=('low' 'loud')"), script);
  });

  it('of fish: a value follows an option that needs one', () => {
    const lines = completionScript('fish', tree).split('\n');
    const of = (text: string) => lines.filter((line) => line.includes(text));
    assert.deepEqual(of('-a dig'), [
      "complete -c binnacle -n '__fish_use_subcommand' -f -a dig -d 'open: don\\'t ask; twice'",
    ]);
    assert.deepEqual(of('-l depth'), [
      "complete -c binnacle -n '__fish_seen_subcommand_from dig' -l depth -s d -r -d 'how deep'",
    ]);
    assert.deepEqual(of('-l fast'), [
      "complete -c binnacle -n '__fish_seen_subcommand_from dig' -l fast -d 'in a hurry'",
    ]);
    assert.equal(of('-a loud').length, 1);
  });

  it('have every command and every option of binnacle', () => {
    const root = describeCommands();
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const script = completionScript(shell, root);
      for (const { node } of everyCommand(root)) {
        for (const { name } of node.commands) assert.ok(script.includes(name), `${shell} ${name}`);
        for (const { long } of node.options) {
          assert.ok(script.includes(shell === 'fish' ? `-l ${long.slice(2)}` : long), `${shell} ${long}`);
        }
      }
    }
  });
});
