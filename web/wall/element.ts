type Child = Node | string | false | undefined;

/** Makes an element. Strings become text nodes, so nothing that a person typed becomes markup. */
export function el(name: string, className: string, ...children: Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  for (const child of children) {
    if (child === undefined || child === false) continue;
    made.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
  return made;
}

/** Makes a one-line element for text that a person typed, in the direction of its script, so that its end is cut off. */
export function typedLine(name: string, text: string, className = ''): HTMLElement {
  const made = el(name, `line ${className}`.trim(), text);
  made.dir = 'auto';
  return made;
}

/** Replaces all children, also where `replaceChildren` does not exist yet. */
export function fill(parent: Element, ...children: Node[]): void {
  while (parent.firstChild !== null) parent.removeChild(parent.firstChild);
  for (const child of children) parent.appendChild(child);
}
