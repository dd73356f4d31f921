export { parseAddressRanges } from './address-range.js';
export { createServiceLbLoop } from './service-lb-loop.js';
