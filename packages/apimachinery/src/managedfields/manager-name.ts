const MANAGER_MAXIMUM = 128;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * The name under which a request owns fields: the `fieldManager` parameter, else the user agent up to its first `/`, of which
 * unprintable characters are left out and at most 128 bytes are kept, else `unknown`.
 * Upstream: apiserver `managerOrUserAgent`.
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
