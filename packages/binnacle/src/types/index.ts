export { type Definition, type DefinitionVersion, definitionObjectsIn, definitionsIn } from './definitions.js';
export { DefinitionError } from './definition-error.js';
export { generateTypes } from './generate.js';
export { parseDocuments } from './documents.js';
