import type { Plugin } from '../framework/index.js';

/** Writes a binding. Upstream: `defaultbinder`. */
export type WriteBinding = (
  pod: { readonly namespace: string; readonly name: string; readonly uid: string },
  nodeName: string,
  signal: AbortSignal,
) => Promise<void>;

export function defaultBinder(write: WriteBinding): Plugin {
  return {
    name: 'DefaultBinder',
    bind: async ({ pod }, nodeName, signal) => {
      await write(pod, nodeName, signal);
      return { code: 'Success', reasons: [] };
    },
  };
}
