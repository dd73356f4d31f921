import { type Buffer, isAscii } from 'node:buffer';
import { childrenOf, elementsOf, SEQUENCE } from '../der/index.js';

/** The names of a subject besides its distinguished name. Other kinds of names are left out, as by Go. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** 4 or 16 octets each. */
  readonly ipAddresses: readonly Buffer[];
}

export const noNames: AlternativeNames = { dnsNames: [], emailAddresses: [], uris: [], ipAddresses: [] };

const EMAIL = 0x81;
const DNS = 0x82;
const URI = 0x86;
const IP_ADDRESS = 0x87;
const ADDRESS_LENGTHS = [4, 16];
/** A subset of what Go's `net/url` accepts. Upstream rejects a host with an empty label or a trailing dot. */
const KNOWN_URI =
  /^[a-z][a-z0-9+.-]*:(\/\/[\w-]{1,56}(\.[\w-]{1,56})*(:\d{1,5})?(?=[/?]|$)|(?!\/\/))([\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*$/i;

/**
 * Reads a subject alternative name extension. Returns a string as the reason why it cannot be read. Throws {@link DerError}. Upstream:
 * `crypto/x509`.
 */
export function readAlternativeNames(value: Buffer): AlternativeNames | string {
  const [names, ...others] = elementsOf(value);
  if (others.length > 0) return 'x509: invalid subject alternative names';
  const entries = childrenOf(names, SEQUENCE);
  for (const { tag, content } of entries) {
    if (tag === EMAIL && !isAscii(content)) return 'x509: SAN rfc822Name is malformed';
    if (tag === DNS && !isAscii(content)) return 'x509: SAN dNSName is malformed';
    if (tag === URI && !KNOWN_URI.test(content.toString('latin1'))) {
      return isAscii(content)
        ? `x509: cannot parse URI ${JSON.stringify(content.toString())}: invalid domain`
        : 'x509: SAN uniformResourceIdentifier is malformed';
    }
    if (tag === IP_ADDRESS && !ADDRESS_LENGTHS.includes(content.length)) {
      return `x509: cannot parse IP address of length ${content.length}`;
    }
  }
  const contents = (wanted: number) => entries.filter(({ tag }) => tag === wanted).map(({ content }) => content);
  const texts = (wanted: number) => contents(wanted).map((content) => content.toString('latin1'));
  return { dnsNames: texts(DNS), emailAddresses: texts(EMAIL), uris: texts(URI), ipAddresses: contents(IP_ADDRESS) };
}
