export {
  BIT_STRING,
  bitsOf,
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
  SET,
  textOf,
  wholeOf,
} from './der.js';
export { COMMON_NAME, type NameAttribute, nameOf, ORGANIZATION } from './name.js';
export {
  isStrongRsaKey,
  LARGEST_RSA_EXPONENT,
  type SignatureAlgorithm,
  type SignatureKeyType,
  signatureAlgorithmOf,
  SMALLEST_RSA_KEY,
} from './signature-algorithm.js';
