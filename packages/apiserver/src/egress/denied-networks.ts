import { BlockList, isIP } from 'node:net';
import {
  formatIpAddress,
  type IpAddress,
  isIpv4Mapped,
  maskIpAddress,
  parseIpAddress,
  parseIpPrefix,
} from '@binnacle/apimachinery/validation';

/**
 * Link-local networks, and the addresses at which clouds give credentials to every process of a machine: those of
 * Amazon and Google over IPv6, Alibaba, Azure and Oracle. The one that most clouds use is link-local.
 */
const ALWAYS_DENIED: readonly string[] = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
];

/** The networks that the server may not call. An address that reaches another one is judged as that one too. */
export class DeniedNetworks {
  readonly #list = new BlockList();

  /** `networks`: CIDRs, besides {@link ALWAYS_DENIED}. Throws for anything else. */
  constructor(networks: readonly string[] = []) {
    for (const network of [...ALWAYS_DENIED, ...networks]) {
      const prefix = parseIpPrefix(network);
      if (prefix === undefined) throw new Error(`${JSON.stringify(network)} is not a CIDR, such as 10.0.0.0/8`);
      const address = maskIpAddress(prefix.address, prefix.length);
      const length = isIpv4Mapped(address) ? prefix.length - 96 : prefix.length;
      this.#list.addSubnet(formatIpAddress(address), length, familyOf(address));
    }
  }

  /** Whether the server may not connect to this IP address. Denies what is not an IP address. */
  includes(text: string): boolean {
    const [plain = ''] = text.split('%', 1);
    const address = isIP(plain) === 0 ? undefined : parseIpAddress(plain);
    if (address === undefined) return true;
    return [address, ...reachedThrough(address)].some((each) =>
      this.#list.check(formatIpAddress(each), familyOf(each)),
    );
  }
}

const LOOPBACK = ['127.0.0.1', '::1'].flatMap((text) => parseIpAddress(text) ?? []);
/** Prefixes of IPv6 addresses that end in the IPv4 address that a packet goes to: mapped and compatible ones, NAT64. */
const EMBEDDING = [
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0],
];

/** Further addresses that a connection to this one reaches. The unspecified address reaches the machine itself. */
function reachedThrough({ family, bytes }: IpAddress): readonly IpAddress[] {
  if (bytes.every((byte) => byte === 0)) return LOOPBACK;
  if (family === 4 || !EMBEDDING.some((prefix) => prefix.every((byte, index) => bytes[index] === byte))) return [];
  const embedded: IpAddress = { family: 4, bytes: bytes.slice(12), leadingZeros: false };
  return [embedded, ...reachedThrough(embedded)];
}

function familyOf(address: IpAddress): 'ipv4' | 'ipv6' {
  return address.family === 4 || isIpv4Mapped(address) ? 'ipv4' : 'ipv6';
}
