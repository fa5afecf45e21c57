/** Words that make a reader guess; each has a plain word, such as *retained* for *kept*. */
const vague =
  /(?<![-\w])twins?\b|\b(vacuous|picks?|leads? to|told|tells?|strangers?|held|kept|anew|usual|nobody|mend(s|ed)?|besides|that one|single objects?|but for|in the place of|says so|made[ -]up|goes by|(is|are) none|as far as|stands? for)\b/gi;

/** Returns the vague words of a page or a help text, outside of code. */
export function findVague(text: string): string[] {
  const prose = text
    .replace(/^ *```.*?^ *```$/gms, '')
    .replace(/(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)/gs, '');
  return prose.match(vague) ?? [];
}
