// Before the first paint, so that a theme chosen by hand never flashes the other one. A file of its own because the
// page's policy allows no inline script. Without a choice the style sheet follows the system by itself.
try {
  const chosen = localStorage.getItem('lintel.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's theme then holds.
}
