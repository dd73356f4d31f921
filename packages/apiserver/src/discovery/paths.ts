import { sortedKeys } from '@binnacle/apimachinery/json';
import type { DiscoveredGroup } from './source.js';

/** The root path list: all discovery paths and the given ones, sorted, without duplicates. */
export function listedPaths(groups: readonly DiscoveredGroup[], others: readonly string[]): string[] {
  const paths: Record<string, true> = { '/api': true, '/apis': true, '/apis/': true, '/version': true };
  for (const { group, versions } of groups) {
    const prefix = group === '' ? '/api' : `/apis/${group}`;
    paths[prefix] = true;
    for (const { version } of versions) paths[`${prefix}/${version}`] = true;
  }
  for (const path of others) paths[path] = true;
  return sortedKeys(paths);
}
