/** A block ends at its first dash, so no text is searched twice. */
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates in a PEM text, in order, each as PEM. Other text is ignored, and what a block holds is not examined. Linear. */
export const certificateBlocks = (text: string): readonly string[] => text.match(BLOCK) ?? [];
