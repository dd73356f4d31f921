export {
  type Feature,
  FeatureGateError,
  featureGates,
  type FeatureState,
  featureStates,
  resolveFeatureGates,
} from './feature-gates.js';
