/** A cluster without resource claims. */
export const noDevices = { claim: () => undefined };
