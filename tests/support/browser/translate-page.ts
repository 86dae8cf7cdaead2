import type { Page } from 'playwright-core';

/**
 * Changes an open page as a browser's translator does: it replaces each present and later text with an element that holds
 * the translated words, here the same words in capitals.
 */
export function translatePage(page: Page): Promise<void> {
  return page.evaluate(() => {
    const made = new WeakSet<Node>();
    const kept = 'script, style, noscript, textarea, input, font, title, [translate=no]';
    const replace = (text: Text) => {
      const parent = text.parentElement;
      if (parent === null || made.has(text) || text.data.trim() === '' || parent.closest(kept) !== null)
        return;
      const font = document.createElement('font');
      const words = document.createTextNode(text.data.toUpperCase());
      made.add(words);
      font.appendChild(document.createElement('font')).appendChild(words);
      text.replaceWith(font);
    };
    const replaceIn = (node: Node) => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const texts = node instanceof Text ? [node] : [];
      for (let next = walker.nextNode(); next !== null; next = walker.nextNode()) {
        if (next instanceof Text) texts.push(next);
      }
      for (const text of texts) replace(text);
    };
    replaceIn(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) replaceIn(node);
    }).observe(document.body, { childList: true, subtree: true });
  });
}
