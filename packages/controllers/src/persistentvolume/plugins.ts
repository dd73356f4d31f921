/** The plugin that provisions directories of the node. Upstream means it for development. */
export const HOST_PATH = 'kubernetes.io/host-path';

type Ability = 'provisionable' | 'deletable';

/** A volume plugin of upstream's manager by its name, or the words with which upstream says that it has none. */
export function pluginOf(name: string, ability: Ability): { readonly isFound: true } | { readonly error: string } {
  if (name === HOST_PATH) return { isFound: true };
  if (name === 'kubernetes.io/nfs') return { error: `no ${ability} volume plugin matched` };
  return { error: `no volume plugin matched name: ${name}` };
}
