export { type Feature, FeatureGateError, featureGates, resolveFeatureGates } from './feature-gates.js';
