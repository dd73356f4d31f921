import { ConfigurationError, mapOf, struct, text } from '@binnacle/apimachinery/configuration';
import { LabelSelectorError, parseLabelMap } from '@binnacle/apimachinery/labels';
import { readUnversioned } from './unversioned.js';

const configuration = struct('podnodeselector.pluginConfig', { podNodeSelectorPluginConfig: mapOf(text) });

/**
 * Reads `podNodeSelectorPluginConfig`: label selectors by namespace. Throws a {@link ConfigurationError}. Upstream reports
 * a wrong selector to the client that creates a pod. Upstream: `plugin/pkg/admission/podnodeselector`.
 */
export function readNodeSelectors(source: string): ReadonlyMap<string, string> {
  const read: { readonly podNodeSelectorPluginConfig?: Readonly<Record<string, string>> } = readUnversioned(
    source,
    configuration,
  );
  const selectors = new Map(Object.entries(read.podNodeSelectorPluginConfig ?? {}));
  for (const [namespace, selector] of selectors) check(namespace, selector);
  return selectors;
}

function check(namespace: string, selector: string): void {
  try {
    parseLabelMap(selector);
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw new ConfigurationError(`podNodeSelectorPluginConfig[${namespace}]: ${error.message}`, { cause: error });
  }
}
