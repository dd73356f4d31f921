import type * as admissionValidation from '@binnacle/api/validation/admission';

let loaded: typeof admissionValidation | undefined;

/** Loads the rules of webhook configurations, policies and devices with the first of them: they compile expressions. */
export async function loadAdmissionRules(): Promise<typeof admissionValidation> {
  loaded ??= await import('@binnacle/api/validation/admission');
  return loaded;
}

/** The rules, once {@link loadAdmissionRules} has settled; throws before. */
export function loadedAdmissionRules(): typeof admissionValidation {
  if (loaded === undefined) throw new Error('the rules of admission are asked for before they are loaded');
  return loaded;
}
