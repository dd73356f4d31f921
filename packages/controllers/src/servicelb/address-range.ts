import {
  formatIpAddress,
  type IpFamily,
  ipFamilyOf,
  ipOfNumber,
  maskIpAddress,
  numberOfIp,
  parseIpAddress,
  parseIpPrefix,
} from '@binnacle/apimachinery/validation';

/** The addresses of one network, without its own and, for IPv4, without the broadcast address. */
export class AddressRange {
  readonly family: IpFamily;
  readonly #text: string;
  readonly #first: bigint;
  readonly #last: bigint;

  /** Throws a RangeError if the text is not a CIDR. */
  constructor(text: string) {
    const prefix = parseIpPrefix(text);
    if (prefix === undefined) throw new RangeError(`${JSON.stringify(text)} is not a CIDR`);
    const { address, length } = prefix;
    const network = numberOfIp(maskIpAddress(address, length));
    const size = 1n << BigInt(address.bytes.length * 8 - length);
    this.family = ipFamilyOf(address);
    this.#text = text;
    this.#first = size > 1n ? network + 1n : network;
    this.#last = network + size - (this.family === 'IPv4' && size > 2n ? 2n : 1n);
  }

  contains(text: string): boolean {
    const address = parseIpAddress(text);
    if (address === undefined || ipFamilyOf(address) !== this.family) return false;
    const number = numberOfIp(address);
    return number >= this.#first && number <= this.#last;
  }

  /** The lowest address that is free; undefined if none is. It asks about one address more than are taken. */
  lowest(isFree: (address: string) => boolean): string | undefined {
    for (let number = this.#first; number <= this.#last; number++) {
      const address = formatIpAddress(ipOfNumber(number, this.family));
      if (isFree(address)) return address;
    }
    return undefined;
  }

  toString(): string {
    return this.#text;
  }
}

/** The ranges of a text: CIDRs, separated by commas. Throws a RangeError. */
export function parseAddressRanges(text: string): readonly AddressRange[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => new AddressRange(part));
}
