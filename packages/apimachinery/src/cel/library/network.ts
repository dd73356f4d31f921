import {
  formatIpAddress,
  type IpAddress,
  type IpPrefix,
  isIpv4Mapped,
  maskIpAddress,
  parseIpAddress,
  parseIpPrefix,
} from '../../validation/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { type Overload, overload } from '../overload.js';
import { OpaqueValue, type Value } from '../values.js';
import { from, string } from './arguments.js';
import { succeeds } from './succeeds.js';

export class IpValue extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && formatIpAddress(this.address) === formatIpAddress(other.address);
  }
}

export class CidrValue extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof CidrValue && formatCidr(this.prefix) === formatCidr(other.prefix);
  }
}

const ip = (value: Value): IpValue | undefined => (value instanceof IpValue ? value : undefined);
const cidr = (value: Value): CidrValue | undefined => (value instanceof CidrValue ? value : undefined);

/** Predicates on an address, by function name and overload id. */
const PREDICATES: readonly (readonly [name: string, id: string, holds: (address: IpAddress) => boolean])[] = [
  ['isUnspecified', 'ip_is_unspecified', (address) => address.bytes.every((byte) => byte === 0)],
  ['isLoopback', 'ip_is_loopback', isLoopback],
  ['isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast],
  ['isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast],
];

/** Upstream: apiserver `pkg/cel/library/ip.go`, `cidr.go`. */
export const NETWORK: readonly Overload[] = [
  overload(
    'ip',
    'string_to_ip',
    '(string) -> net.IP',
    from(string)((text) => new IpValue(readIp(text))),
  ),
  overload(
    'family',
    'ip_family',
    'net.IP.() -> int',
    from(ip)(({ address }) => BigInt(address.family)),
  ),
  overload(
    'ip.isCanonical',
    'ip_is_canonical',
    '(string) -> bool',
    from(string)((text) => formatIpAddress(readIp(text)) === text),
  ),
  ...PREDICATES.map(([name, id, holds]) =>
    overload(
      name,
      id,
      'net.IP.() -> bool',
      from(ip)(({ address }) => holds(address)),
    ),
  ),
  overload(
    'isIP',
    'is_ip',
    '(string) -> bool',
    from(string)((text) => succeeds(() => readIp(text))),
  ),
  overload(
    'string',
    'ip_to_string',
    '(net.IP) -> string',
    from(ip)(({ address }) => formatIpAddress(address)),
  ),
  overload(
    'cidr',
    'string_to_cidr',
    '(string) -> net.CIDR',
    from(string)((text) => new CidrValue(readCidr(text))),
  ),
  overload(
    'containsIP',
    'cidr_contains_ip_string',
    'net.CIDR.(string) -> bool',
    from(cidr, string)(({ prefix }, text) => containsIp(prefix, readIp(text))),
  ),
  overload(
    'containsIP',
    'cidr_contains_ip_ip',
    'net.CIDR.(net.IP) -> bool',
    from(cidr, ip)(({ prefix }, { address }) => containsIp(prefix, address)),
  ),
  overload(
    'containsCIDR',
    'cidr_contains_cidr_string',
    'net.CIDR.(string) -> bool',
    from(cidr, string)(({ prefix }, text) => containsCidr(prefix, readCidr(text))),
  ),
  overload(
    'containsCIDR',
    'cidr_contains_cidr',
    'net.CIDR.(net.CIDR) -> bool',
    from(cidr, cidr)((outer, inner) => containsCidr(outer.prefix, inner.prefix)),
  ),
  overload(
    'ip',
    'cidr_ip',
    'net.CIDR.() -> net.IP',
    from(cidr)(({ prefix }) => new IpValue(prefix.address)),
  ),
  overload(
    'prefixLength',
    'cidr_prefix_length',
    'net.CIDR.() -> int',
    from(cidr)(({ prefix }) => BigInt(prefix.length)),
  ),
  overload(
    'masked',
    'cidr_masked',
    'net.CIDR.() -> net.CIDR',
    from(cidr)(({ prefix }) => new CidrValue({ ...prefix, address: maskIpAddress(prefix.address, prefix.length) })),
  ),
  overload(
    'isCIDR',
    'is_cidr',
    '(string) -> bool',
    from(string)((text) => succeeds(() => readCidr(text))),
  ),
  overload(
    'string',
    'cidr_to_string',
    '(net.CIDR) -> string',
    from(cidr)(({ prefix }) => formatCidr(prefix)),
  ),
];

function readIp(text: string): IpAddress {
  const address = parseIpAddress(text);
  const failure = `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)})`;
  if (address === undefined) throw new EvaluationError(`${failure}: unable to parse IP`);
  if (address.leadingZeros) throw new EvaluationError(`${failure}: IPv4 field has octet with leading zero`);
  if (isIpv4Mapped(address))
    throw new EvaluationError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return address;
}

function readCidr(text: string): IpPrefix {
  const prefix = parseIpPrefix(text);
  const problem = 'network address parse error during conversion from string';
  if (prefix === undefined || prefix.leadingZeros) {
    const why = text.includes('/') ? 'unable to parse' : "no '/'";
    throw new EvaluationError(`${problem}: ${problem}: netip.ParsePrefix(${JSON.stringify(text)}): ${why}`);
  }
  if (isIpv4Mapped(prefix.address)) {
    throw new EvaluationError(`${problem}: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  }
  return prefix;
}

/** Keeps the host bits, unlike the canonical text of a network. */
function formatCidr({ address, length }: IpPrefix): string {
  return `${formatIpAddress(address)}/${length}`;
}

function containsIp({ address, length }: IpPrefix, inner: IpAddress): boolean {
  if (address.family !== inner.family) return false;
  const network = maskIpAddress(address, length).bytes;
  return maskIpAddress(inner, length).bytes.every((byte, index) => byte === network[index]);
}

function containsCidr(outer: IpPrefix, inner: IpPrefix): boolean {
  return outer.length <= inner.length && containsIp(outer, inner.address);
}

function isLoopback({ family, bytes }: IpAddress): boolean {
  return family === 4 ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

function isLinkLocalMulticast({ family, bytes: [first, second = 0, third] }: IpAddress): boolean {
  if (family === 4) return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 0x02;
}

function isLinkLocalUnicast({ family, bytes: [first, second = 0] }: IpAddress): boolean {
  return family === 4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
}

function isMulticast({ family, bytes: [first = 0] }: IpAddress): boolean {
  return family === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
}

function isGlobalUnicast(address: IpAddress): boolean {
  const { bytes, family } = address;
  const isZero = bytes.every((byte) => byte === 0);
  const isBroadcast = family === 4 && bytes.every((byte) => byte === 255);
  return !isZero && !isBroadcast && !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address);
}
