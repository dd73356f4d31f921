export { createTrustBundlePublisherLoop } from './trust-bundle-publisher-loop.js';
