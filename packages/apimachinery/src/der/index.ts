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
