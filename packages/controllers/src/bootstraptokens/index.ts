export {
  expiryOf,
  isBootstrapToken,
  type SigningToken,
  signingToken,
  TOKEN_NAMESPACE,
} from './bootstrap-token.js';
