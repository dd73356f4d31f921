import { Buffer } from 'node:buffer';
import {
  bitsOf,
  BOOLEAN,
  childrenOf,
  COMMON_NAME,
  contentOf,
  DerError,
  type Element,
  elementsOf,
  identifierOf,
  INTEGER,
  type NameAttribute,
  nameOf,
  OCTET_STRING,
  ORGANIZATION,
  SEQUENCE,
  SET,
  wholeOf,
} from '../der/index.js';
import { type AlternativeNames, noNames, readAlternativeNames } from './alternative-names.js';
import { readPem } from './pem.js';

/** A request without its PEM: the signed bytes, the public key and the signature. */
export interface SignedRequest {
  readonly signed: Element | undefined;
  readonly publicKey: Element | undefined;
  readonly algorithm: Element | undefined;
  readonly signature: Buffer;
}

/** The content of a PKCS #10 request. */
export interface CertificateRequest {
  /** The last of several common names, as in Go. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** All attributes of the subject, in order. */
  readonly subject: readonly NameAttribute[];
  readonly alternativeNames: AlternativeNames;
  /** DER of the SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly proof: SignedRequest;
}

const BLOCK_TYPE = 'CERTIFICATE REQUEST';
export const MALFORMED = 'x509: malformed certificate request';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
const ATTRIBUTES = 0xa0;

/**
 * Reads a request: `request` is base64 of PEM, as in a CertificateSigningRequest. Returns a string if it cannot be
 * read: the reason, in upstream's words where upstream rejects it too.
 *
 * Validation and admission read requests here, and signers use other parsers. So only unambiguous requests pass: one
 * PEM block without headers, strict DER, no trailing data, strings that every reader decodes the same way. Upstream:
 * `pkg/apis/certificates` ParseCSR.
 */
export function readCertificateRequest(request: string): CertificateRequest | string {
  const [block, ...others] = readPem(Buffer.from(request, 'base64').toString('latin1')) ?? [];
  if (block?.type !== BLOCK_TYPE) return `PEM block type must be ${BLOCK_TYPE}`;
  if (others.length > 0) return 'must contain exactly one PEM block';
  if (block.hasHeaders) return 'no PEM block headers are permitted';
  return readRequestBytes(block.bytes);
}

/** The same for a request in DER, without PEM. */
export function readRequestBytes(bytes: Buffer): CertificateRequest | string {
  try {
    return readRequest(bytes);
  } catch {
    return MALFORMED;
  }
}

function readRequest(bytes: Buffer): CertificateRequest | string {
  const [whole] = exactly(1, elementsOf(bytes));
  const [info, algorithm, signature] = exactly(3, childrenOf(whole, SEQUENCE));
  const [version, subject, publicKey, attributes] = exactly(4, childrenOf(info, SEQUENCE));
  if (!contentOf(version, INTEGER).equals(Buffer.of(0))) throw new DerError('an unknown version');
  const names = nameOf(subject);
  const alternativeNames = requestedNames(childrenOf(attributes, ATTRIBUTES));
  if (typeof alternativeNames === 'string') return alternativeNames;
  return {
    commonName: names.findLast(({ type }) => type === COMMON_NAME)?.value ?? '',
    organizations: names.filter(({ type }) => type === ORGANIZATION).map(({ value }) => value),
    subject: names,
    alternativeNames,
    publicKey: wholeOf(publicKey),
    proof: { signed: info, publicKey, algorithm, signature: bitsOf(signature) },
  };
}

/** The alternative names in the extension request. No other attribute or extension gets into the certificate. */
function requestedNames(attributes: readonly Element[]): AlternativeNames | string {
  const requested: Element[] = [];
  for (const attribute of attributes) {
    const [type, values] = exactly(2, childrenOf(attribute, SEQUENCE));
    const given = nonEmpty(childrenOf(values, SET));
    if (identifierOf(type) === EXTENSION_REQUEST) requested.push(...given);
  }
  if (requested.length > 1) return 'x509: certificate request contains duplicate requested extensions';
  const extensions = requested.flatMap((list) => childrenOf(list, SEQUENCE)).map(readExtension);
  if (new Set(extensions.map(({ type }) => type)).size < extensions.length) {
    return 'x509: certificate request contains duplicate requested extensions';
  }
  const names = extensions.find(({ type }) => type === ALTERNATIVE_NAMES);
  return names === undefined ? noNames : readAlternativeNames(names.value);
}

function readExtension(extension: Element): { readonly type: string; readonly value: Buffer } {
  const parts = childrenOf(extension, SEQUENCE);
  const [type, critical, value] = parts.length === 3 ? parts : [parts[0], undefined, parts[1]];
  if (parts.length < 2 || parts.length > 3) throw new DerError('an extension of another shape');
  if (critical !== undefined && !isBoolean(contentOf(critical, BOOLEAN))) throw new DerError('no boolean');
  return { type: identifierOf(type), value: contentOf(value, OCTET_STRING) };
}

function isBoolean(content: Buffer): boolean {
  return content.length === 1 && (content[0] === 0 || content[0] === 0xff);
}

function nonEmpty(elements: Element[]): Element[] {
  if (elements.length === 0) throw new DerError('an empty set');
  return elements;
}

/** Throws unless there are exactly `count` elements. */
function exactly(count: number, elements: Element[]): Element[] {
  if (elements.length !== count) throw new DerError('elements that are missing or too many');
  return elements;
}
