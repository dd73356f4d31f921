export { connectExtenders, type Extenders } from './connect-extenders.js';
export type { ExtenderConfiguration, ExtenderTls } from './extender-configuration.js';
