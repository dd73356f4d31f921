/** How a version of OpenAPI writes types. v2 has no defaults, enums or alternatives. */
export type Dialect = 'v2' | 'v3';
