const MANAGER_MAXIMUM = 128;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * The manager name of a request: the `fieldManager` parameter; else the user agent up to its first `/`, without
 * unprintable characters and cut to 128 bytes; else `unknown`. Upstream: apiserver `managerOrUserAgent`.
 */
export function managerOf(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  const [prefix = ''] = (userAgent ?? '').split('/', 1);
  let name = '';
  let bytes = 0;
  for (const character of prefix) {
    if (!printable.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > MANAGER_MAXIMUM) break;
    name += character;
  }
  return name === '' ? 'unknown' : name;
}
