export {
  anything,
  double,
  duration,
  flag,
  int32,
  int64,
  kind,
  listOf,
  mapOf,
  nested,
  struct,
  text,
  texts,
} from './declare.js';
export {
  ConfigurationError,
  type ConfigurationKinds,
  readConfiguration,
  readLenientConfiguration,
  strictError,
} from './read.js';
