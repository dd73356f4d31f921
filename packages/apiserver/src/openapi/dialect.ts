/** The version of OpenAPI in which types are written. Upstream's v2 documents have no defaults, enums or alternatives. */
export type Dialect = 'v2' | 'v3';
