export { noUpstreamSamples, readSample, type UpstreamSample, upstreamSamples } from './upstream-samples.js';
