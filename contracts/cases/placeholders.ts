const names = 'run|fresh|digits|number|instant';
const kinds = 'created|id|known|own|secret|unknown';

/**
 * Matches what a run fills in: the name of a value, in which the parameters of a path may stand, and
 * the text in its place where there is none. Other braces, such as `{{tenant}}`, are the document's.
 */
export const placeholder = new RegExp(
  `\\{\\{((?:${names})|(?:${kinds})\\.(?:[^{}|]|\\{[^{}]*\\})+)(?:\\|([^{}]*))?\\}\\}`,
  'g',
);

/** Tells whether a text has something that a run fills in. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) !== -1;
}
