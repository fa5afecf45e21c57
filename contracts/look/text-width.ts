/** Characters that take two columns, which Unicode calls Wide or Fullwidth (UAX #11). */
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

/** Characters that take none: what lies over others, and what is not shown. */
const invisible = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** Characters that stand beside the one that they belong to. */
const spacing = /^[\p{Mc}\uff9e\uff9f]/u;

const emoji = /^\p{RGI_Emoji}$/v;

const segmenter = new Intl.Segmenter();

/** What a reader takes for one character each, such as a letter with its accents, or a flag. */
export function toGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Columns that a text takes on a terminal. A test holds it against string-width, which would bring
 * four packages to whoever installs this one.
 */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return toGraphemes(text).reduce((sum, grapheme) => sum + widthOfGrapheme(grapheme), 0);
}

function widthOfGrapheme(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  const [base, ...others] = [...grapheme].filter((char) => !invisible.test(char));
  if (base === undefined) return 0;
  return (wide.test(base) ? 2 : 1) + others.filter((char) => spacing.test(char)).length;
}
