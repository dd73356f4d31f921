import type { Buffer } from 'node:buffer';
import type { X509Certificate } from 'node:crypto';
import {
  BIT_STRING,
  BOOLEAN,
  childrenOf,
  contentOf,
  DerError,
  type Element,
  elementsOf,
  identifierOf,
  INTEGER,
  OCTET_STRING,
  SEQUENCE,
  wholeOf,
} from '@binnacle/apimachinery/der';

/** The parts of a certificate that a chain depends on. Names and keys are DER, and are compared byte by byte. */
export interface Certificate {
  readonly x509: X509Certificate;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: Buffer;
  readonly algorithm: Element;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Whether it may sign certificates: as a trusted certificate, and as an intermediate one. */
  readonly mayIssue: { readonly asAnchor: boolean; readonly asIntermediate: boolean };
  /** How many intermediate certificates may follow it. */
  readonly pathLength: number;
  readonly isForClients: boolean;
  /** Whether it limits the names in the certificates below. */
  readonly limitsNames: boolean;
  /** Whether it must be refused because of an unknown critical extension. */
  readonly isUnhandled: boolean;
}

const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const CERTIFICATE_SIGN = 0x04;
const ANY_USE = '2.5.29.37.0';
const CLIENT_USE = '1.3.6.1.5.5.7.3.2';
const KEY_USAGE = '2.5.29.15';
const ALTERNATIVE_NAMES = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const NAME_CONSTRAINTS = '2.5.29.30';
const POLICY_CONSTRAINTS = '2.5.29.36';
const EXTENDED_KEY_USAGE = '2.5.29.37';
/** The extensions that may be critical. Those listed by number (CRL distribution points, policies) do not affect a chain. */
const HANDLED: ReadonlySet<string> = new Set([
  KEY_USAGE,
  ALTERNATIVE_NAMES,
  BASIC_CONSTRAINTS,
  NAME_CONSTRAINTS,
  EXTENDED_KEY_USAGE,
  '2.5.29.31',
  '2.5.29.32',
  '2.5.29.33',
  '2.5.29.35',
  '2.5.29.54',
]);
/** The tags of alternative names: email address, DNS name, URI, IP address. */
const KNOWN_NAMES: ReadonlySet<number> = new Set([0x81, 0x82, 0x86, 0x87]);

interface Extension {
  readonly isCritical: boolean;
  /** Unchecked bytes in an unknown extension. */
  readonly value: Buffer;
}

/** Reads a certificate in strict DER. Throws {@link DerError}. Upstream: Go's `crypto/x509` parser. */
export function readCertificate(x509: X509Certificate): Certificate {
  const [toBeSigned, outer] = childrenOf(elementsOf(x509.raw)[0], SEQUENCE);
  const parts = childrenOf(toBeSigned, SEQUENCE);
  const version = parts[0]?.tag === VERSION ? parts.shift() : undefined;
  const [, algorithm, issuer, , subject, publicKey, ...optional] = parts;
  if (algorithm === undefined || !wholeOf(outer).equals(algorithm.whole)) {
    throw new DerError('two algorithms of one signature');
  }
  const extensions = readExtensions(optional.find(({ tag }) => tag === EXTENSIONS));
  const isVersion3 = version !== undefined && childrenOf(version, VERSION)[0]?.content[0] === 2;
  if (extensions.size > 0 && !isVersion3) throw new DerError('extensions of another version');
  return {
    x509,
    algorithm,
    issuer: wholeOf(issuer),
    subject: wholeOf(subject),
    publicKey: wholeOf(publicKey),
    notBefore: timeOf(x509.validFrom),
    notAfter: timeOf(x509.validTo),
    ...readAuthority(extensions, isVersion3),
    isForClients: isForClients(extensions.get(EXTENDED_KEY_USAGE)),
    limitsNames: extensions.has(NAME_CONSTRAINTS),
    isUnhandled: [...extensions].some(([type, extension]) => isUnhandled(type, extension)),
  };
}

function readExtensions(list: Element | undefined): Map<string, Extension> {
  const extensions = new Map<string, Extension>();
  if (list === undefined) return extensions;
  for (const each of childrenOf(childrenOf(list, EXTENSIONS)[0], SEQUENCE)) {
    const parts = childrenOf(each, SEQUENCE);
    const [type, critical, value] = parts.length === 3 ? parts : [parts[0], undefined, parts[1]];
    const isCritical = critical !== undefined && booleanOf(critical);
    const name = identifierOf(type);
    if (extensions.has(name)) throw new DerError('an extension that comes twice');
    extensions.set(name, { isCritical, value: contentOf(value, OCTET_STRING) });
  }
  return extensions;
}

/** A trusted certificate of version 1 or 2 may sign, because these versions cannot say that it may. */
function readAuthority(extensions: ReadonlyMap<string, Extension>, isVersion3: boolean) {
  const usage = extensions.get(KEY_USAGE);
  const bits = usage === undefined ? [] : bitsIn(onlyElement(usage.value));
  const mayUseKey = bits.every((octet) => octet === 0) || ((bits[0] ?? 0) & CERTIFICATE_SIGN) !== 0;
  const constraints = extensions.get(BASIC_CONSTRAINTS);
  if (constraints === undefined) {
    const mayIssue = { asAnchor: mayUseKey && !isVersion3, asIntermediate: false };
    return { mayIssue, pathLength: Number.POSITIVE_INFINITY };
  }
  const parts = childrenOf(onlyElement(constraints.value), SEQUENCE);
  const isAuthority = parts[0]?.tag === BOOLEAN && booleanOf(parts.shift());
  const mayIssue = { asAnchor: mayUseKey && isAuthority, asIntermediate: mayUseKey && isAuthority };
  return { mayIssue, pathLength: parts[0] === undefined ? Number.POSITIVE_INFINITY : countOf(parts[0]) };
}

function isForClients(extension: Extension | undefined): boolean {
  const uses = extension === undefined ? [] : childrenOf(onlyElement(extension.value), SEQUENCE).map(identifierOf);
  return uses.length === 0 || uses.includes(ANY_USE) || uses.includes(CLIENT_USE);
}

/** Policy constraints are not implemented, so a certificate with them is refused. */
function isUnhandled(type: string, { isCritical, value }: Extension): boolean {
  if (type === POLICY_CONSTRAINTS) return true;
  if (!isCritical) return false;
  if (type !== ALTERNATIVE_NAMES) return !HANDLED.has(type);
  return !childrenOf(onlyElement(value), SEQUENCE).some(({ tag }) => KNOWN_NAMES.has(tag));
}

function onlyElement(bytes: Buffer): Element | undefined {
  const [element, ...others] = elementsOf(bytes);
  if (others.length > 0) throw new DerError('more than one value');
  return element;
}

/** The octets of a bit string. Throws unless the padding bits of the last one are zero. */
function bitsIn(element: Element | undefined): readonly number[] {
  const [padding = 0, ...octets] = contentOf(element, BIT_STRING);
  if (padding > 7 || ((octets.at(-1) ?? 0) & ((1 << padding) - 1)) !== 0) throw new DerError('no bits');
  return octets;
}

function booleanOf(element: Element | undefined): boolean {
  const content = contentOf(element, BOOLEAN);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerError('no boolean');
  return content[0] === 0xff;
}

function countOf(element: Element): number {
  const content = contentOf(element, INTEGER);
  if (content.length === 0 || content.length > 4) throw new DerError('no count');
  const count = content.readIntBE(0, content.length);
  if (count < 0) throw new DerError('a negative count');
  return count;
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new DerError('no time');
  return time;
}
