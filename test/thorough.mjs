/** Set by `npm run test:thorough`: tests that repeat themselves do so in full. */
export const isThorough = process.env.BINNACLE_THOROUGH !== undefined;
