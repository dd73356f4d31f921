/** The rows of a long list that are on the screen. */
export interface ListWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Pixels from the top of the list to the first row. */
  readonly offset: number;
  /** Pixels of all rows. */
  readonly total: number;
}

/** The highest element that browsers lay out exactly. */
const MOST_PIXELS = 8_000_000;

/** `overscan`: rows beyond each edge, so that a scroll does not show a gap. */
export function windowOf(scrolled: number, height: number, rowHeight: number, count: number, overscan = 8): ListWindow {
  const shown = Math.min(count, Math.floor(MOST_PIXELS / rowHeight));
  const first = Math.max(0, Math.min(shown, Math.floor(scrolled / rowHeight)) - overscan);
  const end = Math.min(shown, Math.ceil((scrolled + height) / rowHeight) + overscan);
  return { first: Math.min(first, end), end, offset: Math.min(first, end) * rowHeight, total: shown * rowHeight };
}

/** Where to scroll so that a row is visible; as little as possible. */
export function scrollTo(index: number, scrolled: number, height: number, rowHeight: number): number {
  const top = index * rowHeight;
  if (top < scrolled) return top;
  if (top + rowHeight > scrolled + height) return top + rowHeight - height;
  return scrolled;
}
