import { Buffer } from 'node:buffer';
import { alternativeNamesProblem } from './alternative-names.js';
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
  nameOf,
  OCTET_STRING,
  ORGANIZATION,
  SEQUENCE,
  SET,
} from '@binnacle/apimachinery/der';
import { readPem } from './pem.js';
import { type SignedRequest, signatureProblem } from './request-signature.js';

/** The content of a PKCS #10 request. */
export interface CertificateRequest {
  /** The last of several common names, as in Go. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly proof: SignedRequest;
}

const BLOCK_TYPE = 'CERTIFICATE REQUEST';
const MALFORMED = 'x509: malformed certificate request';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';
const ATTRIBUTES = 0xa0;

/**
 * Why a request must not be stored: it cannot be read, or its signature does not prove possession of the key. Upstream:
 * `validateCSR` of `pkg/apis/certificates/validation`.
 */
export function certificateRequestProblem(request: string): string | undefined {
  const read = readCertificateRequest(request);
  if (typeof read === 'string') return read;
  try {
    return signatureProblem(read.proof);
  } catch {
    return MALFORMED;
  }
}

/**
 * Reads a request: `request` is base64 of PEM, as in a CertificateSigningRequest. Returns a string if it cannot be
 * read: the reason, in upstream's words where upstream rejects it too.
 *
 * Validation and admission read requests here, but signers use other parsers, so only unambiguous requests pass: one
 * PEM block without headers, strict DER, no trailing data, strings that every reader decodes the same way. Upstream:
 * `pkg/apis/certificates` ParseCSR.
 */
export function readCertificateRequest(request: string): CertificateRequest | string {
  const [block, ...others] = readPem(Buffer.from(request, 'base64').toString('latin1')) ?? [];
  if (block?.type !== BLOCK_TYPE) return `PEM block type must be ${BLOCK_TYPE}`;
  if (others.length > 0) return 'must contain exactly one PEM block';
  if (block.hasHeaders) return 'no PEM block headers are permitted';
  try {
    return readRequest(block.bytes);
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
  const problem = extensionsProblem(childrenOf(attributes, ATTRIBUTES));
  if (problem !== undefined) return problem;
  return {
    commonName: names.findLast(({ type }) => type === COMMON_NAME)?.value ?? '',
    organizations: names.filter(({ type }) => type === ORGANIZATION).map(({ value }) => value),
    proof: { signed: info, publicKey, algorithm, signature: bitsOf(signature) },
  };
}

/** The only attribute that matters for the certificate is the extension request. */
function extensionsProblem(attributes: readonly Element[]): string | undefined {
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
  return names === undefined ? undefined : alternativeNamesProblem(names.value);
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
