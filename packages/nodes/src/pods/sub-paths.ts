import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { environmentOf, variableExpander } from './environment.js';

/**
 * Why the container cannot mount a volume at the path that its `subPathExpr` gives; undefined if it can. Values of ConfigMaps, Secrets and
 * services count as valid. Upstream: `makeMounts`.
 */
export function subPathProblemOf(pod: Pod, container: Container): string | undefined {
  const paths = (container.volumeMounts ?? []).flatMap(({ subPathExpr = '' }) =>
    subPathExpr === '' ? [] : [subPathExpr],
  );
  if (paths.length === 0) return undefined;
  const variables = environmentOf(pod, container, { base: new Map() });
  for (const path of paths) {
    const problem = problemOf(path, variables);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(text: string, variables: ReadonlyMap<string, string>): string | undefined {
  const empty = new Set<string>();
  let isKnown = true;
  const path = variableExpander((name) => {
    const value = variables.get(name);
    if (value === undefined) isKnown = false;
    if (value === '') empty.add(name);
    return value;
  })(text);
  if (empty.size > 0) return `missing value for ${[...empty].sort().join(', ')}`;
  if (!isKnown) return undefined;
  if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`;
  return path.split('/').includes('..') ? `unable to provision SubPath \`${path}\`: must not contain '..'` : undefined;
}
