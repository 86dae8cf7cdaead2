/** The elements that a translator put in the place of texts. A text is absent, or its element no longer in the page, without one. */
const standIns = new WeakMap<Node, Element>();

/**
 * Keeps React working in a page that the browser translates. A translator replaces each text with an element that holds
 * the translated words, while React goes on changing, moving and removing the text that it made: new words would never
 * be shown, and where the text has to go, or something has to come before it, the browser throws. From now on the
 * element goes in the place of its text, and new words bring the text back, which the translator then translates anew.
 * In a page that is not translated, each of the calls costs one comparison.
 */
export function followTranslation(): void {
  const observer = new MutationObserver(note);
  observer.observe(document.body, { childList: true, subtree: true });
  const { removeChild, insertBefore, appendChild } = Node.prototype;

  /** What stands for this child in the parent; undefined if nothing does. */
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

/** A text that is moved takes the place of its translation. */
function removeStandIn(child: Node): void {
  if (child.parentNode === null) standIns.get(child)?.remove();
}

/** Browsers and translation services put the words into `<font>`, which nothing else uses. */
function isTranslation(node: Node | null): node is Element {
  return node instanceof Element && node.localName === 'font';
}
