import type { SendOptions } from '../transport/index.js';

/** Separates the options of the transport from those that the server gets. */
export function splitOptions<O extends SendOptions>(options: O): [SendOptions, Omit<O, keyof SendOptions>] {
  const { signal, timeout, ...rest } = options;
  return [{ signal, timeout }, rest];
}
