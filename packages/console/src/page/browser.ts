import { systemClock } from '@binnacle/apimachinery/clock';

export const now = (): number => systemClock.now();

/** Milliseconds that only grow. */
export const monotonic = (): number => systemClock.monotonic();

/** Runs once, later. The result cancels it. */
export function later(milliseconds: number, run: () => void): () => void {
  const timer = systemClock.setTimer(run, milliseconds);
  return () => timer[Symbol.dispose]();
}

const KEY = 'binnacle-console-key';
const THEME = 'binnacle-console-theme';

/** The key of the session: from the link that opened the page, else as a page before has kept it. */
export function sessionKey(): string | undefined {
  const [, fromLink] = /^#key=([\w-]+)$/.exec(location.hash) ?? [];
  if (fromLink !== undefined) {
    localStorage.setItem(KEY, fromLink);
    history.replaceState(null, '', '/');
  }
  return fromLink ?? localStorage.getItem(KEY) ?? undefined;
}

export type Theme = 'dark' | 'light';

export function initialTheme(): Theme {
  const kept = localStorage.getItem(THEME);
  if (kept === 'dark' || kept === 'light') return kept;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

export function showTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
}
