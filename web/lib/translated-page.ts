/**
 * For each text that a translator replaced, the element that replaced it. Other texts have no entry, or an entry whose
 * element is no longer in the page.
 */
const standIns = new WeakMap<Node, Element>();

/**
 * Keeps React working in a page that the browser translates. A translator replaces each text with an element that holds
 * the translated words, but React still changes, moves and removes its own text: new words would never be shown, and the
 * browser would throw when React removes the text or inserts a node before it. After this call, these operations act on the
 * element instead, and new words put the text back into the page, where the translator translates it again. In a page that
 * is not translated, each operation costs one comparison.
 */
export function followTranslation(): void {
  const observer = new MutationObserver(note);
  observer.observe(document.body, { childList: true, subtree: true });
  const { removeChild, insertBefore, appendChild } = Node.prototype;

  /** The element that replaces this child in the parent; undefined if none does. */
  function standInOf(child: Node, parent: Node): Element | undefined {
    note(observer.takeRecords());
    const standIn = standIns.get(child);
    return standIn?.parentNode === parent ? standIn : undefined;
  }

  function note(records: MutationRecord[]): void {
    for (const { type, target, removedNodes, addedNodes, previousSibling, nextSibling } of records) {
      if (type === 'characterData') {
        // React has changed a text that is not in the page.
        const standIn = standIns.get(target);
        if (standIn?.isConnected === true) standIn.replaceWith(target);
        continue;
      }
      for (const text of removedNodes) {
        if (!(text instanceof Text) || text.isConnected) continue;
        const standIn = [...addedNodes, previousSibling, nextSibling].find(isTranslation);
        if (standIn === undefined) continue;
        standIns.set(text, standIn);
        observer.observe(text, { characterData: true });
      }
    }
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const standIn = child.parentNode === this ? undefined : standInOf(child, this);
    if (standIn === undefined) return removeChild.call(this, child) as T;
    removeChild.call(this, standIn);
    return child;
  };

  Node.prototype.insertBefore = function <T extends Node>(this: Node, child: T, before: Node | null): T {
    removeStandIn(child);
    const isHere = before === null || before.parentNode === this;
    return insertBefore.call(this, child, isHere ? before : (standInOf(before, this) ?? before)) as T;
  };

  Node.prototype.appendChild = function <T extends Node>(this: Node, child: T): T {
    removeStandIn(child);
    return appendChild.call(this, child) as T;
  };
}

/** Removes the translation of a text that React inserts again. */
function removeStandIn(child: Node): void {
  if (child.parentNode === null) standIns.get(child)?.remove();
}

/** Browsers and translation services put the words into `<font>`, which nothing else uses. */
function isTranslation(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}
