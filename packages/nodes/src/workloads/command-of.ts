import type { Container } from '@binnacle/client/kinds/core/v1';
import { variableExpander } from '../pods/index.js';
import { localPaths } from './mounts.js';

/**
 * The program and the arguments of a container. The command of the image takes the place of the image's entry point, and of the first
 * word of `command`, which names a program of the image. Further words of `command`, and `args`, follow.
 */
export function commandOf(
  mapped: readonly string[],
  container: Container,
  { variables, root }: { readonly variables: ReadonlyMap<string, string>; readonly root: string },
): readonly string[] {
  const { command = [], args = [] } = container;
  const expand = variableExpander((name) => variables.get(name));
  const local = localPaths(container, root);
  const given = [...command.slice(1), ...args].map((word) => local(expand(word)));
  return [...mapped, ...given];
}
