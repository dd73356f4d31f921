/**
 * IP addresses as the API reads them: leniently, as old clients wrote them, and noting deviations from the strict form.
 * Upstream: apimachinery `pkg/util/validation/ip.go`.
 */
export interface IpAddress {
  readonly family: 4 | 6;
  /** 4 or 16 bytes; an IPv4-mapped IPv6 address keeps 16. */
  readonly bytes: readonly number[];
  /** An octet of the IPv4 part has a leading zero, or a group has more than four digits. */
  readonly leadingZeros: boolean;
}

export interface IpPrefix {
  readonly address: IpAddress;
  /** The length of the prefix in bits. */
  readonly length: number;
  readonly leadingZeros: boolean;
}

const DOT = 46;
const ZERO = 48;
const NINE = 57;

/** Parses an address leniently; undefined if it is invalid. Rejects zones. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > 256) return undefined;
  if (!text.includes(':')) return parseIpv4(text);
  return parseIpv6(text);
}

function parseIpv4(text: string): IpAddress | undefined {
  const bytes: number[] = [];
  let leadingZeros = false;
  let digits = 0;
  let byte = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : DOT;
    if (code === DOT) {
      if (digits === 0) return undefined;
      bytes.push(byte);
      digits = 0;
      byte = 0;
    } else {
      if (code < ZERO || code > NINE) return undefined;
      if (digits > 0 && byte === 0) leadingZeros = true;
      digits++;
      byte = byte * 10 + code - ZERO;
      if (byte > 255) return undefined;
    }
  }
  return bytes.length === 4 ? { family: 4, bytes, leadingZeros } : undefined;
}

function parseIpv6(text: string): IpAddress | undefined {
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  const embedded = tail.includes('.') ? parseIpv4(tail) : undefined;
  if (tail.includes('.') && embedded === undefined) return undefined;
  const hex = embedded === undefined ? text : `${text.slice(0, lastColon + 1)}${embeddedGroups(embedded.bytes)}`;
  const halves = hex.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (!groups.flat().every((group) => /^0*[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const count = groups.flat().length;
  if (halves.length === 1 ? count !== 8 : count > 7) return undefined;
  const zeros = Array.from({ length: 8 - count }, () => '0');
  const all = halves.length === 1 ? groups.flat() : [...(groups[0] ?? []), ...zeros, ...(groups[1] ?? [])];
  const bytes = all.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  const isLong = groups.flat().some((group) => group.length > 4);
  return { family: 6, bytes, leadingZeros: isLong || embedded?.leadingZeros === true };
}

function embeddedGroups(bytes: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** Parses `address/length` leniently; undefined if it is invalid. */
export function parseIpPrefix(text: string): IpPrefix | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseIpAddress(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]{1,9}$/.test(digits)) return undefined;
  const length = Number(digits);
  if (length > address.bytes.length * 8) return undefined;
  return { address, length, leadingZeros: address.leadingZeros || (digits.length > 1 && digits.startsWith('0')) };
}

/** Whether this is an IPv4-mapped IPv6 address: `::ffff:1.2.3.4`. */
export function isIpv4Mapped(address: IpAddress): boolean {
  return (
    address.family === 6 &&
    address.bytes.slice(0, 10).every((byte) => byte === 0) &&
    address.bytes[10] === 0xff &&
    address.bytes[11] === 0xff
  );
}

/** The address with all bits after the prefix cleared. */
export function maskIpAddress(address: IpAddress, length: number): IpAddress {
  const bytes = address.bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return { ...address, bytes };
}

/** The address after the network address. For a prefix of one address, that address with its last bit set. */
export function firstIpAddress(prefix: IpPrefix): IpAddress {
  const network = maskIpAddress(prefix.address, prefix.length);
  const last = network.bytes.length - 1;
  return { ...network, bytes: network.bytes.with(last, (network.bytes[last] ?? 0) | 1) };
}

export type IpFamily = 'IPv4' | 'IPv6';

export function ipFamilyOf({ family }: IpAddress): IpFamily {
  return family === 4 ? 'IPv4' : 'IPv6';
}

/** The bits of an address as a number. */
export function numberOfIp({ bytes }: IpAddress): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** The reverse of {@link numberOfIp}. */
export function ipOfNumber(number: bigint, family: IpFamily): IpAddress {
  const length = family === 'IPv4' ? 4 : 16;
  const bytes = Array.from({ length }, (_, index) => Number((number >> BigInt((length - 1 - index) * 8)) & 0xffn));
  return { family: family === 'IPv4' ? 4 : 6, bytes, leadingZeros: false };
}

/** Canonical text: dotted for IPv4 and IPv4-mapped, else RFC 5952. */
export function formatIpAddress(address: IpAddress): string {
  if (address.family === 4) return address.bytes.join('.');
  if (isIpv4Mapped(address)) return address.bytes.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => {
    const high = address.bytes[index * 2] ?? 0;
    return ((high << 8) | (address.bytes[index * 2 + 1] ?? 0)).toString(16);
  });
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(':');
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let index = 0; index <= groups.length; index++) {
    if (groups[index] === '0') continue;
    if (index - start > best.length) best = { start, length: index - start };
    start = index + 1;
  }
  return best;
}

export function formatIpPrefix(prefix: IpPrefix): string {
  return `${formatIpAddress(maskIpAddress(prefix.address, prefix.length))}/${prefix.length}`;
}
