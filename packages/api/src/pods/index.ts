export { containerTotals } from './container-totals.js';
export { podQosClass } from './qos-class.js';
