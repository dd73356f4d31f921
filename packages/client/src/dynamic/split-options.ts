import type { SendOptions } from '../transport/index.js';

/** What the transport is to know, and what the server is. */
export function splitOptions<O extends SendOptions>(options: O): [SendOptions, Omit<O, keyof SendOptions>] {
  const { signal, timeout, ...rest } = options;
  return [{ signal, timeout }, rest];
}
