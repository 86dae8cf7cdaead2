type Child = Node | string | false | undefined;

/** Creates an element. Strings become text nodes, so typed text never becomes markup. */
export function el(name: string, className: string, ...children: Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  for (const child of children) {
    if (child === undefined || child === false) continue;
    made.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
  return made;
}

/**
 * Creates a one-line element for typed text, in the direction of the text's script, so that an overlong text is cut off
 * at its end.
 */
export function typedLine(name: string, text: string, className = ''): HTMLElement {
  const made = el(name, `line ${className}`.trim(), text);
  made.dir = 'auto';
  return made;
}

/** Replaces all children, also in browsers that do not have `replaceChildren`. */
export function fill(parent: Element, ...children: Node[]): void {
  while (parent.firstChild !== null) parent.removeChild(parent.firstChild);
  for (const child of children) parent.appendChild(child);
}
