const names = 'run|RUN|fresh|FRESH|digits|number|instant';
const kinds = 'created|id|known|own|secret|unknown|varied';

/**
 * Matches a placeholder that a run fills in: the name of a value, which may contain path
 * parameters, and a default text. Other braces, such as `{{tenant}}`, belong to the document.
 */
export const placeholder = new RegExp(
  `\\{\\{((?:${names})|(?:${kinds})\\.(?:[^{}|]|\\{[^{}]*\\})+)(?:\\|([^{}]*))?\\}\\}`,
  'g',
);

/** Tells whether a text has something that a run fills in. */
export function hasPlaceholder(text: string): boolean {
  return text.search(placeholder) !== -1;
}
