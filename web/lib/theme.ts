const KEY = 'lintel.theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'Same as system',
  light: 'Light',
  dark: 'Dark',
};

/** The theme chosen on this device, or `system`. */
export function readTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Applies a theme at once and stores it; `web/first.ts` applies it before the first paint of later pages. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden: the choice then lasts until the page is closed.
  }
}
