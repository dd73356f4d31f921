export { CustomCodec, type CustomCodecOptions } from './custom-codec.js';
export { ConvertedVersions, CustomVersions, OUTDATED_VALUE } from './custom-versions.js';
