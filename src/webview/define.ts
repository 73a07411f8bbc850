/** Tells the browser about an element once, however often the page's scripts ask. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
