/** The key of events whose own key is purged. Stored keys start with `/`, so no prefix of theirs matches it. */
export const PURGED_KEY = 'purged';
