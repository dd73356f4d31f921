/** X.520's commonName, 2.5.4.3, and organizationName, 2.5.4.10, as DER writes them. */
const COMMON_NAME = Buffer.from([0x55, 0x04, 0x03]);
const ORGANIZATION = Buffer.from([0x55, 0x04, 0x0a]);
const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_IDENTIFIER = 0x06;

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * The organizations in the subject of a PKCS #10 request: `request` is base64 of PEM, as in a CertificateSigningRequest. What
 * cannot be read has none: nobody can sign it either.
 */
export function organizationsOf(request: string): string[] {
  return attributesOf(request, ORGANIZATION);
}

/** The common name in the same subject; of several the last, as Go has it. */
export function commonNameOf(request: string): string {
  return attributesOf(request, COMMON_NAME).at(-1) ?? '';
}

function attributesOf(request: string, wanted: Buffer): string[] {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const body = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE REQUEST-----/.exec(
    pem,
  )?.[1];
  const [whole] = elementsOf(Buffer.from(body ?? '', 'base64'));
  const [information] = childrenOf(whole, SEQUENCE);
  const [, subject] = childrenOf(information, SEQUENCE);
  return childrenOf(subject, SEQUENCE)
    .flatMap((names) => childrenOf(names, SET))
    .flatMap((attribute) => {
      const [type, value] = childrenOf(attribute, SEQUENCE);
      const isWanted = type?.tag === OBJECT_IDENTIFIER && type.content.equals(wanted);
      return isWanted && value !== undefined ? [value.content.toString('utf8')] : [];
    });
}

function childrenOf(element: Element | undefined, tag: number): Element[] {
  return element?.tag === tag ? elementsOf(element.content) : [];
}

/** The elements that stand one after the other; those before the first that is broken. */
function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const extra = first < 0x80 ? 0 : first & 0x7f;
    if (extra > 4 || at + 2 + extra > bytes.length) break;
    const length = extra === 0 ? first & 0x7f : bytes.readUIntBE(at + 2, extra);
    const start = at + 2 + extra;
    if (start + length > bytes.length) break;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}
