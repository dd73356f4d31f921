import {
  formatIpAddress,
  type IpAddress,
  maskIpAddress,
  parseIpAddress,
  parseIpPrefix,
} from '@binnacle/apimachinery/validation';

export type IpFamily = 'IPv4' | 'IPv6';

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
    const network = numberOf(maskIpAddress(address, length));
    const size = 1n << BigInt(address.bytes.length * 8 - length);
    this.family = familyOf(address);
    this.#text = text;
    this.#first = size > 1n ? network + 1n : network;
    this.#last = network + size - (this.family === 'IPv4' && size > 2n ? 2n : 1n);
  }

  contains(text: string): boolean {
    const address = parseIpAddress(text);
    if (address === undefined || familyOf(address) !== this.family) return false;
    const number = numberOf(address);
    return number >= this.#first && number <= this.#last;
  }

  /** The lowest address that is free; undefined if none is. It asks about one address more than are taken. */
  lowest(isFree: (address: string) => boolean): string | undefined {
    for (let number = this.#first; number <= this.#last; number++) {
      const address = textOf(number, this.family);
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

function familyOf({ family }: IpAddress): IpFamily {
  return family === 4 ? 'IPv4' : 'IPv6';
}

function numberOf({ bytes }: IpAddress): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function textOf(number: bigint, family: IpFamily): string {
  const length = family === 'IPv4' ? 4 : 16;
  const bytes = Array.from({ length }, (_, index) => Number((number >> BigInt((length - 1 - index) * 8)) & 0xffn));
  return formatIpAddress({ family: family === 'IPv4' ? 4 : 6, bytes, leadingZeros: false });
}
