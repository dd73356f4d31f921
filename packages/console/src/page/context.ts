import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { App } from './app.js';

export const AppContext = createContext<App | undefined>(undefined);

/** The state of the page, for components. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('a component is outside of the page');
  return app;
}
