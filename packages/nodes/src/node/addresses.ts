/** The address of a node by its number, in 172.16.0.0/12. */
export function nodeAddress(index: number): string {
  return addressOf(0xac100000 + index + 1);
}

/** The range of the pods of a node, unless its `spec.podCIDR` names another: a /24 in 10.128.0.0/9. */
export function podRange(index: number): string {
  return `${addressOf(0x0a800000 + index * 256)}/24`;
}

/**
 * The first free address of an IPv4 range. Its network address, the next one (the bridge's) and its broadcast address are
 * never free. Undefined if all are taken, or for another family.
 */
export function freeAddress(range: string, taken: ReadonlySet<string>): string | undefined {
  const [, base = '', length = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(range) ?? [];
  if (base === '' || Number(length) > 30) return undefined;
  const size = 2 ** (32 - Number(length));
  const first = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  for (let offset = 2; offset < Math.min(size - 1, taken.size + 3); offset++) {
    const address = addressOf(first + offset);
    if (!taken.has(address)) return address;
  }
  return undefined;
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
}
