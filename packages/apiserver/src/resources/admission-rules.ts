import type * as admissionValidation from '@binnacle/api/validation/admission';

let loaded: typeof admissionValidation | undefined;

/**
 * Loads the validation of webhook configurations, policies and devices on first use: it includes the compiler of
 * expressions.
 */
export async function loadAdmissionRules(): Promise<typeof admissionValidation> {
  loaded ??= await import('@binnacle/api/validation/admission');
  return loaded;
}

/** The rules, once {@link loadAdmissionRules} has settled; throws before. */
export function loadedAdmissionRules(): typeof admissionValidation {
  if (loaded === undefined) throw new Error('the admission rules are used before they are loaded');
  return loaded;
}
