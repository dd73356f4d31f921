import type { CommandNode } from './command-tree.js';

/** The command and those below it, each with the names that lead to it: `['store', 'check']`. */
export function* everyCommand(
  node: CommandNode,
  path: readonly string[] = [],
): Generator<{ readonly node: CommandNode; readonly path: readonly string[] }> {
  yield { node, path };
  for (const each of node.commands) yield* everyCommand(each, [...path, each.name]);
}
